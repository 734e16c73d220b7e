/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;

/**
 * Sends bulk deletes with an MD5, as all clients did for many years. Since version 2.30 the SDK
 * sends a CRC32: older stores ask for the MD5 then, and Backblaze B2 refuses the CRC32, also beside
 * an MD5.
 */
final class BulkDeletesWithMd5 implements ExecutionInterceptor {
  @Override
  public SdkHttpRequest modifyHttpRequest(
      Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
    if (!(context.request() instanceof DeleteObjectsRequest) || context.requestBody().isEmpty()) {
      return context.httpRequest();
    }
    attributes.putAttribute(SdkExecutionAttribute.RESOLVED_CHECKSUM_SPECS, null);
    try (InputStream body = context.requestBody().get().contentStreamProvider().newStream()) {
      byte[] md5 = MessageDigest.getInstance("MD5").digest(body.readAllBytes());
      return context.httpRequest().toBuilder()
          .putHeader("Content-MD5", Base64.getEncoder().encodeToString(md5))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
