/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Reads from the header {@code Retry-After} how long a store wants to be left alone. */
final class RetryAfter {
  private RetryAfter() {}

  static Optional<Duration> of(AwsServiceException refusal) {
    if (refusal.awsErrorDetails() == null || refusal.awsErrorDetails().sdkHttpResponse() == null) {
      return Optional.empty();
    }
    SdkHttpResponse answer = refusal.awsErrorDetails().sdkHttpResponse();
    return answer
        .firstMatchingHeader("Retry-After")
        .flatMap(text -> parse(text.strip(), answer.firstMatchingHeader("Date")));
  }

  /**
   * Seconds, or a date, which is read by the store's own clock; nothing where it makes no sense.
   *
   * @param date of the answer
   */
  static Optional<Duration> parse(String text, Optional<String> date) {
    if (text.matches("[0-9]{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
    Optional<Instant> until = instant(text);
    Optional<Instant> now = date.flatMap(RetryAfter::instant);
    return until
        .flatMap(end -> now.map(start -> Duration.between(start, end)))
        .filter(wait -> !wait.isNegative());
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
