/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A retrying store over one in memory, which fails as a test says. */
final class Fixture {
  /** 5 attempts in 30 s, 100 ms to 8 s apart; throttled 20 in 60 s; 90 s a task. */
  static final RetryConfig CONFIG =
      new RetryConfig(
          5,
          Duration.ofSeconds(30),
          "retry.duration.max",
          Duration.ofMillis(100),
          Duration.ofSeconds(8),
          20,
          Duration.ofSeconds(60),
          Duration.ofSeconds(90));

  static final byte[] OURS = {1, 2, 3};
  static final byte[] FOREIGN = {4, 5, 6};

  final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  final InMemoryStore bare = new InMemoryStore("lake", time);
  final FaultyStore faulty = new FaultyStore(bare);
  final LayeredStore store = retrying(faulty);

  /** Returns a store that repeats the requests of another, with the same waits in every run. */
  LayeredStore retrying(ObjectStore inner) {
    return LayeredStores.retrying(inner, CONFIG, time, new SplittableRandom(7));
  }

  byte[] bytesOf(String key) throws IOException {
    return bare.get(key, new ByteRange(0, 100), Optional.empty()).bytes();
  }

  static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }
}
