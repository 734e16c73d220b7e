/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private long nanos;

  private final Patience patience =
      new Patience(
          new Time() {
            @Override
            public Instant now() {
              return Instant.EPOCH.plusNanos(nanos);
            }

            @Override
            public long nowNanos() {
              return nanos;
            }

            @Override
            public void sleep(Duration duration) {
              nanos += duration.toNanos();
            }
          });

  private void fails(String key, Kind kind) {
    patience.failed(key, new StoreException(kind, Operation.GET, key, "it failed.", null, null));
  }

  @Test
  void aKeyThatWasGivenUpGetsNoMoreRetriesUntilItIsAnswered() {
    fails("a", Kind.SERVER_ERROR);
    assertThat(patience.isLeft("a")).isFalse();
    assertThat(patience.isLeft("b")).isTrue();
    patience.answered("a");
    assertThat(patience.isLeft("a")).isTrue();
    fails("a", Kind.THROTTLED);
    fails("a", Kind.NO_SUCH_KEY);
    assertThat(patience.isLeft("a")).as("that is an answer").isTrue();
  }

  @Test
  void itIsForgottenAfterAWhile() {
    fails("a", Kind.CONNECTION_LOST);
    nanos = Duration.ofMinutes(14).toNanos();
    assertThat(patience.isLeft("a")).isFalse();
    nanos = Duration.ofMinutes(15).toNanos();
    assertThat(patience.isLeft("a")).isTrue();
  }

  @Test
  void aStoreThatIsGoneIsGoneForAllKeys() {
    fails("a", Kind.UNREACHABLE);
    assertThat(patience.isLeft("b")).isFalse();
    patience.answered("c");
    assertThat(patience.isLeft("b")).isTrue();
    assertThat(patience.isLeft("a")).as("its own time is not over").isFalse();
  }

  @Test
  void onlySoManyKeysAreRemembered() {
    for (int i = 0; i <= 1_000; i++) {
      fails("k" + i, Kind.SERVER_ERROR);
    }
    assertThat(patience.isLeft("k0")).isTrue();
    assertThat(patience.isLeft("k1")).isFalse();
  }
}
