/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttemptTest {
  private final Attempt attempt = new Attempt();

  @Test
  void theStoreFindsTheAttemptOfItsThreadOnlyWhileItRuns() throws IOException {
    Attempt inner = new Attempt();
    RunningAttempt.run(
        attempt,
        own -> {
          assertThat(Attempt.current()).containsSame(attempt);
          RunningAttempt.run(inner, nested -> assertThat(Attempt.current()).containsSame(inner));
          return assertThat(Attempt.current()).containsSame(attempt);
        });
    assertThat(Attempt.current()).isEmpty();
  }

  @Test
  void aCutUsesTheMeansThatTheStoreLeftAndCountsOnce() {
    AtomicInteger cuts = new AtomicInteger();
    attempt.onCut(cuts::incrementAndGet);
    attempt.cut("too slow");
    attempt.cut("too slow again");
    assertThat(cuts).hasValue(1);
    assertThat(attempt.cutBecause()).contains("too slow");
  }

  @Test
  void aCutThatCameBeforeTheMeansIsNotForgotten() {
    AtomicInteger cuts = new AtomicInteger();
    attempt.cut("too slow");
    attempt.onCut(cuts::incrementAndGet);
    assertThat(cuts).hasValue(1);
  }

  @Test
  void whatHasEndedCannotBeCut() throws IOException {
    AtomicInteger cuts = new AtomicInteger();
    RunningAttempt.run(
        attempt,
        own -> {
          attempt.onCut(cuts::incrementAndGet);
          return null;
        });
    attempt.cut("too slow");
    assertThat(cuts).hasValue(0);
  }

  @Test
  void meansThatFailAreNoFailureOfWhoeverCuts() {
    attempt.onCut(
        () -> {
          throw new IllegalStateException("the client is closed");
        });
    attempt.cut("too slow");
    assertThat(attempt.cutBecause()).contains("too slow");
  }

  @Test
  void aSecondAttemptShunsTheAddressOfTheSlowOne() {
    attempt.goesTo("192.0.2.7");
    assertThat(Attempt.beside(attempt).avoided()).contains("192.0.2.7");
    assertThat(Attempt.beside(new Attempt()).avoided()).isEmpty();
  }
}
