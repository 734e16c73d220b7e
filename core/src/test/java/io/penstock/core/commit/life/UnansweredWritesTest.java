/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UnansweredWritesTest {
  private static final ObjectKey KEY = new ObjectKey("lake", "t/a");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final UnansweredWrites puts = new UnansweredWrites(time);
  private IOException failure;
  private Runnable meanwhile = () -> {};

  private final ObjectStore store =
      LayeredStores.observed(
          new StoreWrapper(new InMemoryStore("lake", time)) {
            @Override
            public String put(String key, Body body, Condition condition) throws IOException {
              meanwhile.run();
              if (failure != null) {
                throw failure;
              }
              return super.put(key, body, condition);
            }
          },
          time,
          puts);

  private List<ObjectKey> open() {
    return puts.matching(key -> true);
  }

  private void put() throws IOException {
    store.put("t/a", Body.empty(), Condition.NONE);
  }

  private void putInVain(IOException reason) {
    failure = reason;
    assertThatThrownBy(this::put).isSameAs(reason);
    failure = null;
  }

  private static StoreException failure(Kind kind) {
    return StoreException.of(kind, Operation.PUT, "s3://lake/t/a", "scripted.");
  }

  @Test
  void aPutUnderWayMayTakeEffectAndAnAnsweredOneHasDoneSo() throws IOException {
    meanwhile = () -> assertThat(open()).containsExactly(KEY);
    put();
    assertThat(open()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"THROTTLED", "ACCESS_DENIED", "PRECONDITION_FAILED"})
  void aRefusedPutTakesNoEffect(Kind kind) {
    putInVain(failure(kind));
    assertThat(open()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"CONNECTION_LOST", "SERVER_ERROR"})
  void aPutWithoutAnAnswerMayTakeEffectForTenSeconds(Kind kind) throws IOException {
    putInVain(failure(kind));
    put(); // Its repetition is answered; the first one may still arrive.
    time.advance(Duration.ofMillis(9_999));
    assertThat(open()).containsExactly(KEY);
    time.advance(Duration.ofMillis(1));
    assertThat(open()).isEmpty();
  }

  @Test
  void aPutThatWasCutOffHasNoAnswer() {
    putInVain(new IOException("the socket was closed"));
    assertThat(open()).containsExactly(KEY);
  }
}
