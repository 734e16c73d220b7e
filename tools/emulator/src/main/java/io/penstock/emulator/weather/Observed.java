/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import io.penstock.s3model.S3Operation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request and its response, as recorded for counts and access log. */
record Observed(
    S3Call call,
    HttpRequest request,
    HttpResponse response,
    Instant received,
    long startNanos,
    long answeredNanos) {
  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9]+)</Code>");
  private static final Set<S3Operation> UPLOADS =
      EnumSet.of(S3Operation.PUT_OBJECT, S3Operation.UPLOAD_PART);

  /**
   * Returns the record for the access log.
   *
   * @param start first bytes of the response body that were sent
   */
  AccessRecord record(long bytesSent, byte[] start, long nowNanos) {
    return new AccessRecord(
        call,
        request,
        received,
        response.headers().first("x-amz-request-id").orElse(""),
        response.status(),
        response.status() >= 300 ? errorCode(start) : "",
        bytesSent,
        objectSize(),
        (nowNanos - startNanos) / 1_000_000,
        (answeredNanos - startNanos) / 1_000_000);
  }

  private String errorCode(byte[] start) {
    byte[] body = response.payload() instanceof Payload.BytesPayload known ? known.bytes() : start;
    Matcher matcher = CODE.matcher(new String(body, StandardCharsets.UTF_8));
    return matcher.find() ? matcher.group(1) : "";
  }

  private long objectSize() {
    if (UPLOADS.contains(call.operation())) {
      Optional<String> decoded = request.headers().first("x-amz-decoded-content-length");
      return number(decoded.orElse(Long.toString(request.body().declaredBytes())));
    }
    if (response.status() / 100 != 2) {
      return -1;
    }
    Optional<String> range = response.headers().first("Content-Range");
    if (range.isPresent()) {
      return number(range.get().substring(range.get().indexOf('/') + 1));
    }
    if (call.operation() == S3Operation.HEAD_OBJECT) {
      return number(response.headers().first("Content-Length").orElse(""));
    }
    return call.operation() == S3Operation.GET_OBJECT ? response.payload().lengthBytes() : -1;
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
  }
}
