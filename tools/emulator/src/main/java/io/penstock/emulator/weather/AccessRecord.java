/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.UrlText;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One line of S3's server access log.
 *
 * @param errorCode empty when the request succeeded
 * @param objectSizeBytes negative when not known
 */
record AccessRecord(
    S3Call call,
    HttpRequest request,
    Instant received,
    String requestId,
    int status,
    String errorCode,
    long bytesSent,
    long objectSizeBytes,
    long totalMillis,
    long turnAroundMillis) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("'['dd/MMM/yyyy:HH:mm:ss Z']'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** Returns the line with the 27 fields of the current format. */
  String line() {
    Headers headers = request.headers();
    Optional<String> authorization = headers.first("Authorization");
    boolean isTls = !request.tlsVersion().isEmpty();
    return String.join(
        " ",
        List.of(
            "penstock",
            orDash(call.bucket()),
            TIME.format(received),
            request.peer().getHostAddress(),
            orDash(authorization.map(AccessRecord::accessKey).orElse("")),
            orDash(requestId),
            call.operation().logName(),
            orDash(UrlText.encode(call.key(), true)),
            quoted(request.method() + " " + request.target() + " HTTP/1.1"),
            status == RequestCounts.RESET ? "-" : Integer.toString(status),
            orDash(errorCode),
            bytesSent == 0 ? "-" : Long.toString(bytesSent),
            objectSizeBytes < 0 ? "-" : Long.toString(objectSizeBytes),
            Long.toString(totalMillis),
            Long.toString(turnAroundMillis),
            quoted(headers.first("Referer").orElse("-")),
            quoted(headers.first("User-Agent").orElse("-")),
            "-",
            "-",
            authorization.isPresent() ? "SigV4" : "-",
            "-",
            authorization.isPresent() ? "AuthHeader" : "-",
            orDash(headers.first("Host").orElse("")),
            isTls ? request.tlsVersion() : "-",
            "-",
            "-",
            "-"));
  }

  /** Returns the access key id of the signature. The log contains no other part of it. */
  private static String accessKey(String authorization) {
    int start = authorization.indexOf("Credential=") + "Credential=".length();
    int end = authorization.indexOf('/', start);
    return end < 0 ? "-" : UrlText.encode(authorization.substring(start, end), false);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  /**
   * Quotes a field. S3 does not escape quotation marks inside it. Line ends cannot occur in a head.
   */
  private static String quoted(String text) {
    return "\"" + text + "\"";
  }
}
