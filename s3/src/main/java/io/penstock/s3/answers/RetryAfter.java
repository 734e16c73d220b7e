/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Reads the time that a store asks clients to wait, from the header {@code Retry-After}. */
public final class RetryAfter {
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
   * Returns the time of a header that contains seconds or a date; empty if the header is not valid.
   * A date is compared with the store's own clock.
   *
   * @param date the answer's Date header
   */
  static Optional<Duration> parse(String text, Optional<String> date) {
    if (text.matches("[0-9]{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
    Optional<Instant> until = HttpDates.parse(text);
    Optional<Instant> now = date.flatMap(HttpDates::parse);
    return until
        .flatMap(end -> now.map(start -> Duration.between(start, end)))
        .filter(wait -> !wait.isNegative());
  }
}
