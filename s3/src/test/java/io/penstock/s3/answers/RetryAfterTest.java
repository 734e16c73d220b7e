/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.s3.RecordingServer;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.TestStores;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
  private static final Optional<String> DATE = Optional.of("Sun, 1 Mar 2026 10:00:00 GMT");

  @Test
  void secondsAndDatesAreUnderstoodAndAllElseIsNothing() {
    assertThat(RetryAfter.parse("0", DATE)).contains(Duration.ZERO);
    assertThat(RetryAfter.parse("120", Optional.empty())).contains(Duration.ofMinutes(2));
    assertThat(RetryAfter.parse("Sun, 01 Mar 2026 10:00:07 GMT", DATE))
        .contains(Duration.ofSeconds(7));
    assertThat(RetryAfter.parse("Sun, 01 Mar 2026 09:59:59 GMT", DATE)).isEmpty();
    assertThat(RetryAfter.parse("Sun, 01 Mar 2026 10:00:07 GMT", Optional.empty())).isEmpty();
    assertThat(RetryAfter.parse("Sun, 01 Mar 2026 10:00:07 GMT", Optional.of("today"))).isEmpty();
    assertThat(RetryAfter.parse("-1", DATE)).isEmpty();
    assertThat(RetryAfter.parse("12345678901", DATE)).isEmpty();
    assertThat(RetryAfter.parse("soon", DATE)).isEmpty();
    assertThat(RetryAfter.parse("", DATE)).isEmpty();
  }

  @Test
  void theStoresWishComesWithTheFailure() throws IOException {
    assertThat(listing(Answer.error(503, "SlowDown", "busy").with("Retry-After", "7")).retryAfter())
        .contains(Duration.ofSeconds(7));
    assertThat(listing(Answer.error(503, "SlowDown", "busy")).retryAfter()).isEmpty();
  }

  private static StoreException listing(Answer answer) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> answer);
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint",
                        server.http(),
                        "penstock.credentials",
                        "anonymous")))) {
      return catchThrowableOfType(StoreException.class, () -> store.list(ListRequest.flat("")));
    }
  }
}
