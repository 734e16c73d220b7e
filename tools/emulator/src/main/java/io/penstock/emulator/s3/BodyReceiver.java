/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Receives the body of a request: decodes it and checks its length and its checksums. */
final class BodyReceiver {
  private static final int MAX_XML_BYTES = 8 << 20;

  private BodyReceiver() {}

  /**
   * Receives the body of an upload.
   *
   * @param answer receives the checksums that were verified
   */
  static ReceivedBody upload(HttpRequest request, Headers answer) throws IOException {
    Headers headers = request.headers();
    String sha256 = headers.first("x-amz-content-sha256").orElse("");
    boolean isCoded =
        sha256.startsWith("STREAMING-") || headers.hasToken("Content-Encoding", "aws-chunked");
    AwsChunked coded = isCoded ? new AwsChunked(request.body()) : null;
    Checks checks = new Checks(headers, sha256.matches("[0-9a-f]{64}"));
    InputStream body = checks.over(isCoded ? coded : request.body());
    Optional<String> decoded = headers.first("x-amz-decoded-content-length");
    ReceivedBody spool =
        ReceivedBody.receive(body, expected(decoded, request.body().declaredBytes()));
    try {
      checkLength(decoded, spool.sizeBytes());
      checks.verify(headers, isCoded ? coded.trailers() : new Headers(), answer);
      return spool;
    } catch (IOException e) {
      spool.close();
      throw e;
    }
  }

  static byte[] xml(HttpRequest request) throws IOException {
    try (ReceivedBody spool = upload(request, new Headers());
        InputStream in = spool.open()) {
      if (spool.sizeBytes() > MAX_XML_BYTES) {
        throw XmlRows.malformed();
      }
      return in.readAllBytes();
    }
  }

  private static long expected(Optional<String> decoded, long declaredBytes) {
    String text = decoded.orElse("");
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : declaredBytes;
  }

  private static void checkLength(Optional<String> declared, long received) throws S3Failure {
    if (declared.isPresent() && !declared.get().equals(Long.toString(received))) {
      throw new S3Failure(
          400,
          "IncompleteBody",
          "You did not provide the number of bytes specified by the x-amz-decoded-content-length"
              + " HTTP header");
    }
  }
}
