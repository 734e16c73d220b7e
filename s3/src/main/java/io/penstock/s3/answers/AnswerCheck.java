/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Refuses successful answers that come from no S3 store: a captive proxy or a misrouted endpoint
 * answers any request with 200 and a web page. The SDK would take such a page for an empty answer,
 * or fail in a way that looks like a broken connection.
 */
public final class AnswerCheck implements ExecutionInterceptor {
  private static final ExecutionAttribute<String> BODY = new ExecutionAttribute<>("PenstockBody");

  /** A document type or root of HTML, also after the XML declaration and comments. */
  private static final Pattern WEB_PAGE =
      Pattern.compile(
          "(?is)\\s*(?:<\\?xml[^>]*>\\s*)?(?:<!--.*?-->\\s*)*<(?:!doctype\\s+html|html|head|body)\\b.*");

  private static final Pattern ROOT = Pattern.compile("<([A-Za-z_][^\\s/>]*)");
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final int SHOWN_MAX = 120;

  /** Answers without XML are empty. If one is not, this much tells what it is. */
  private static final int LOOK_BYTES = 1024;

  @Override
  public Optional<InputStream> modifyHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    Optional<InputStream> content = context.responseBody();
    boolean isOther =
        context.request() instanceof GetObjectRequest || !context.httpResponse().isSuccessful();
    if (content.isEmpty() || isOther) {
      return content;
    }
    byte[] body = read(content.get(), context.request());
    String text = new String(body, StandardCharsets.UTF_8);
    String start = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    boolean isXml = start.isBlank() || start.stripLeading().startsWith("<");
    if (WEB_PAGE.matcher(start).matches() || (!isXml && hasXml(context.request()))) {
      throw new NotS3Exception("begins with '%s'".formatted(firstLine(start)));
    }
    attributes.putAttribute(BODY, text);
    return Optional.of(new ByteArrayInputStream(body));
  }

  /** Reports XML that is complete and cannot be parsed. What is cut off is left to be repeated. */
  @Override
  public Throwable modifyException(
      Context.FailedExecution context, ExecutionAttributes attributes) {
    String body = attributes.getAttribute(BODY);
    if (body == null || !isComplete(body) || !isOfParser(context.exception())) {
      return context.exception();
    }
    // The SDK accepts only an exception of the same class.
    return SdkClientException.create(
        "the answer cannot be parsed",
        new NotS3Exception("is not valid XML and begins with '%s'".formatted(firstLine(body))));
  }

  /** Returns true unless the failure is an error that the store reports, a cut or an interrupt. */
  private static boolean isOfParser(Throwable failure) {
    List<Throwable> chain = SdkFailures.chain(failure);
    return failure.getClass() == SdkClientException.class
        && SdkFailures.find(chain, IOException.class).isEmpty();
  }

  private static byte[] read(InputStream content, SdkRequest request) {
    try (content) {
      return hasXml(request) ? content.readAllBytes() : content.readNBytes(LOOK_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasXml(SdkRequest request) {
    return !(request instanceof PutObjectRequest
        || request instanceof UploadPartRequest
        || request instanceof DeleteObjectRequest
        || request instanceof AbortMultipartUploadRequest);
  }

  private static boolean isComplete(String body) {
    Matcher root = ROOT.matcher(body);
    return root.find() && body.stripTrailing().endsWith("</" + root.group(1) + ">");
  }

  private static String firstLine(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    String shown = line.length() > SHOWN_MAX ? line.substring(0, SHOWN_MAX) + "…" : line;
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
