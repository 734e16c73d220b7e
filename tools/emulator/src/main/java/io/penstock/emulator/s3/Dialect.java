/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload.BytesPayload;
import io.penstock.s3model.S3Operation;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a hosted store answers otherwise than Amazon S3, as its documentation and the reports of its
 * users say. docs/stores.md has the sources.
 */
public enum Dialect {
  AMAZON,
  /** Cloudflare R2: parts of one size, no tags, no ACLs, no versions. */
  R2,
  /**
   * Google Cloud Storage's XML API: ETags are no conditions of writes, and parts are not copied.
   */
  GCS,
  /** Backblaze B2: refuses conditional writes, tags and the newer checksums. */
  B2;

  private static final Set<S3Operation> WRITES =
      EnumSet.of(
          S3Operation.PUT_OBJECT,
          S3Operation.COPY_OBJECT,
          S3Operation.DELETE_OBJECT,
          S3Operation.COMPLETE_MULTIPART_UPLOAD);

  private static final Set<S3Operation> VERSIONS =
      EnumSet.of(
          S3Operation.LIST_OBJECT_VERSIONS,
          S3Operation.GET_BUCKET_VERSIONING,
          S3Operation.PUT_BUCKET_VERSIONING);

  private static final List<String> CONDITIONS = List.of("If-Match", "If-None-Match");
  private static final List<String> LABELS = List.of("x-amz-tagging", "x-amz-acl");
  private static final List<String> WITH_ETAGS =
      List.of("If-Match", "If-None-Match", "x-amz-copy-source-if-match");

  /** Matches the ETag of an upload as Amazon has it. */
  private static final Pattern OF_UPLOAD = Pattern.compile("[0-9a-f]{32}-[0-9]{1,5}");

  private static final Pattern IN_XML = Pattern.compile("<ETag>[^<]*</ETag>");

  /** Matches the ETag of an upload in the form of Google's. */
  private static final Pattern OF_GOOGLE = Pattern.compile("-([A-Za-z0-9+/]{30,60}=*)");

  /**
   * Returns the store of this name, in lower case.
   *
   * @throws IllegalArgumentException when there is no such store
   */
  public static Dialect named(String name) {
    for (Dialect one : values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "no store of the name '%s' is known here; there are amazon, r2, gcs and b2"
            .formatted(name));
  }

  /** Fails as the store does if a request asks for what it does not have. */
  void refuse(S3Call call, Headers headers) throws S3Failure {
    switch (this) {
      case AMAZON -> {}
      case R2 -> {
        if (VERSIONS.contains(call.operation())) {
          throw S3Failure.notImplemented(call.operation().apiName());
        }
        for (String name : LABELS) {
          if (headers.has(name)) {
            throw new S3Failure(
                501,
                "NotImplemented",
                "Header '%s' with value '%s' not implemented"
                    .formatted(name, headers.first(name).get()));
          }
        }
      }
      case GCS -> {
        if (call.operation() == S3Operation.UPLOAD_PART_COPY) {
          throw S3Failure.notImplemented("copying a part");
        }
      }
      case B2 -> {
        if (WRITES.contains(call.operation()) && CONDITIONS.stream().anyMatch(headers::has)) {
          throw new S3Failure(
              501,
              "NotImplemented",
              "A header you provided implies functionality that is not implemented");
        }
        for (Headers.Field field : headers.fields()) {
          String name = field.name().toLowerCase(Locale.ROOT);
          if (name.startsWith("x-amz-checksum-")
              || name.equals("x-amz-sdk-checksum-algorithm")
              || name.equals("x-amz-tagging")) {
            throw S3Failure.invalidArgument(
                "Unsupported header '%s' received for this API call.".formatted(name));
          }
        }
      }
    }
  }

  /** Returns a request as the store understands it: without what it ignores. */
  HttpRequest understood(HttpRequest request, S3Call call) {
    if (this != GCS) {
      return request;
    }
    Headers headers = request.headers().copy();
    if (WRITES.contains(call.operation())) {
      CONDITIONS.forEach(headers::remove);
    }
    for (String name : WITH_ETAGS) {
      headers.first(name).ifPresent(etag -> headers.set(name, ofAmazon(etag)));
    }
    return new HttpRequest(
        request.method(),
        request.target(),
        headers,
        request.body(),
        request.peer(),
        request.tlsVersion(),
        request.caller());
  }

  /** Returns an answer as the store gives it. */
  HttpResponse spoken(HttpResponse response) {
    if (this != GCS) {
      return response;
    }
    response
        .headers()
        .first("ETag")
        .ifPresent(etag -> response.headers().set("ETag", ofGoogle(etag)));
    if (!(response.payload() instanceof BytesPayload content)
        || !response.headers().first("Content-Type").orElse("").equals("application/xml")) {
      return response;
    }
    String xml = new String(content.bytes(), StandardCharsets.UTF_8);
    String spoken = IN_XML.matcher(xml).replaceAll(etag -> ofGoogle(etag.group()));
    return response.with(new BytesPayload(spoken.getBytes(StandardCharsets.UTF_8)));
  }

  /** Google's ETags of uploads are Base64 and no digest. These keep Amazon's, to be found again. */
  private static String ofGoogle(String text) {
    return OF_UPLOAD
        .matcher(text)
        .replaceAll(
            etag ->
                "-"
                    + Base64.getEncoder()
                        .encodeToString(etag.group().getBytes(StandardCharsets.US_ASCII)));
  }

  private static String ofAmazon(String text) {
    Matcher etag = OF_GOOGLE.matcher(text);
    return etag.replaceAll(
        found -> new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.US_ASCII));
  }

  /** Returns true if all parts of an upload but the last must have one size. */
  boolean wantsPartsOfOneSize() {
    return this == R2;
  }

  /** Returns true if there must be an object where one is deleted. */
  boolean missesWhatIsDeleted() {
    return this == GCS;
  }

  static S3Error unequalParts() {
    return new S3Error(400, "InvalidPart", "All non-trailing parts must have the same length.");
  }
}
