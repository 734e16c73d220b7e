/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static io.penstock.core.hedge.Fixture.BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.metrics.HedgeMetrics.Count;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Races in which an attempt fails, and the failure that the caller sees. */
class HedgeFailureTest {
  private final Fixture s3 = new Fixture();

  /** Throws what no store should, after its time. */
  private ObjectStore broken(RuntimeException first) {
    return new StoreWrapper(s3.slow) {
      private int requests;

      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        boolean isFirst = requests++ == 0;
        T answer = call.run();
        if (isFirst) {
          throw first;
        }
        return answer;
      }
    };
  }

  @Test
  void aLoserThatFailsByAFaultOfTheProgramNeverReplacesTheAnswer() throws IOException {
    s3.slow.takes(1_500).takes(20);
    LayeredStore hedged = s3.hedged(broken(new IllegalStateException("a fault")), Runnable::run);
    assertThat(hedged.head("a").key()).isEqualTo("a");
  }

  @Test
  void aFaultOfTheProgramIsToldAsWhatItIs() {
    s3.slow.takes(1_500).fails(20, Kind.SERVER_ERROR);
    LayeredStore hedged = s3.hedged(broken(new IllegalStateException("a fault")), Runnable::run);
    assertThatThrownBy(() -> hedged.head("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a fault")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("SERVER_ERROR"));
  }

  @Test
  void whenTheStoreMayHaveActedOnAnyAttemptThatIsWhatIsThrown() {
    s3.slow.fails(1_500, Kind.UNREACHABLE).fails(20, Kind.CONNECTION_LOST);
    assertThatThrownBy(() -> s3.store.put("b", BYTES, Condition.IF_ABSENT.withWriteId("mine")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("UNREACHABLE"));
  }

  @Test
  void aHedgeThatFailsLeavesItToTheFirst() throws IOException {
    s3.slow.takes(1_500).fails(20, Kind.SERVER_ERROR);
    s3.store.head("a");
    assertThat(s3.slow.requests()).isEqualTo(2);
    assertThat(s3.metrics.count()).isEqualTo(new Count(1, 0, 1, 0, 0, 0));
  }

  @Test
  void aFailureThatEveryAttemptWouldMeetEndsTheRace() {
    s3.slow.takes(60_000).fails(20, Kind.ACCESS_DENIED);
    assertThatThrownBy(() -> s3.store.head("a"))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED));
    assertThat(s3.time.nowNanos()).isEqualTo(1_020_000_000L);
  }

  @Test
  void whenAllFailTheFirstFailureIsThrownAndTheOthersAreSuppressed() {
    s3.slow.fails(1_500, Kind.SERVER_ERROR).fails(20, Kind.THROTTLED);
    assertThatThrownBy(() -> s3.store.head("a"))
        .hasMessageContaining("scripted SERVER_ERROR")
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("scripted THROTTLED"));
  }
}
