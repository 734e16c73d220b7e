/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Reads dates as HTTP headers have them. */
public final class HttpDates {
  private HttpDates() {}

  /**
   * Returns the store's time from the answer's Date header; empty if it has none that is valid. A
   * proxy that answers from a cache may leave an old date in it, together with an Age; such a date
   * does not count.
   */
  static Optional<Instant> of(SdkHttpResponse answer) {
    return answer == null || answer.firstMatchingHeader("Age").isPresent()
        ? Optional.empty()
        : answer.firstMatchingHeader("Date").flatMap(HttpDates::parse);
  }

  static Optional<Instant> parse(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
