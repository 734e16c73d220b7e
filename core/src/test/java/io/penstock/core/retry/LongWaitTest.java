/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.sending.LostCreations;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A long wait before the next attempt ends when it is known to be of no use. */
class LongWaitTest {
  private static final RetryConfig SLOW =
      RetryConfig.from(Settings.of(Map.of("penstock.retry.delay.min", "20s")));

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore bare = new InMemoryStore("lake", time);
  private final FaultyStore faulty = new FaultyStore(bare);
  private final EndpointHealth presence = EndpointHealth.alone();

  @BeforeEach
  void put() throws IOException {
    bare.put("a", Body.ofBytes(new byte[1]), Condition.NONE);
  }

  @Test
  void aLongWaitEndsOnceOthersAreServed() throws IOException {
    Time beside = new Time() { // While this request waits, others are served every 50 ms.
          @Override
          public long nowNanos() {
            return time.nowNanos();
          }

          @Override
          public Instant now() {
            return time.now();
          }

          @Override
          public void sleep(Duration duration) throws InterruptedException {
            time.sleep(duration);
            presence.served(time.nowNanos(), time.nowNanos());
          }
        };
    LayeredStore retrying =
        LayeredStores.retrying(
            faulty, SLOW, presence, LostCreations.NONE, beside, new SplittableRandom(7));
    faulty.failBefore(Operation.HEAD, 1, Kind.SERVER_ERROR);

    retrying.head("a");

    assertThat(Duration.ofNanos(time.nowNanos())).isEqualTo(Duration.ofMillis(17 * 50));
  }

  @Test
  void ofThoseWhoWaitForAnEndpointOneAsksEachSecond() throws IOException {
    presence.answered();
    LayeredStore retrying =
        LayeredStores.retrying(
            faulty, SLOW, presence, LostCreations.NONE, time, new SplittableRandom(7));
    for (int number = 1; number <= 5; number++) {
      faulty.failBefore(Operation.HEAD, number, Kind.UNREACHABLE);
    }

    retrying.head("a");

    assertThat(Duration.ofNanos(time.nowNanos())).isEqualTo(Duration.ofSeconds(5));
  }
}
