/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.request.Attempt;
import io.penstock.core.request.RunningAttempt;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancellationTest {
  private final Cancellation work = new Cancellation("the upload was aborted");

  @Test
  void workThatWasCalledOffDoesNotBegin() {
    work.cancel();
    assertThatThrownBy(() -> work.run(() -> 1))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the upload was aborted");
  }

  @Test
  void itIsBoundToItsThreadOnlyWhileTheWorkRuns() throws IOException {
    work.run(
        () -> {
          Cancellation.checkCurrent();
          return 1;
        });
    work.cancel();
    Cancellation.checkCurrent();
  }

  @Test
  void anAttemptUnderWayIsCut() throws IOException {
    Attempt attempt = new Attempt();
    AtomicInteger cuts = new AtomicInteger();
    work.run(
        () ->
            RunningAttempt.run(
                attempt,
                own -> {
                  attempt.onCut(cuts::incrementAndGet);
                  work.cancel();
                  return 1;
                }));
    assertThat(cuts).hasValue(1);
    assertThat(attempt.cutBecause()).contains("the work that needed this request was cancelled");
  }

  @Test
  void anAttemptThatIsWhollySentIsNotCut() throws IOException {
    Attempt attempt = new Attempt();
    work.run(
        () ->
            RunningAttempt.run(
                attempt,
                own -> {
                  attempt.sent();
                  work.cancel();
                  return 1;
                }));
    assertThat(attempt.cutBecause()).isEmpty();
  }

  @Test
  void whereOnlyWaitsEndNothingUnderWayIsCut() throws IOException {
    Attempt attempt = new Attempt();
    work.ofWaits()
        .run(
            () ->
                RunningAttempt.run(
                    attempt,
                    own -> {
                      work.cancel();
                      assertThatThrownBy(Cancellation::checkCurrent)
                          .hasMessage("the upload was aborted");
                      return 1;
                    }));
    assertThat(attempt.cutBecause()).isEmpty();
  }

  @Test
  void anAttemptThatHasEndedIsNotCut() throws IOException {
    Attempt attempt = new Attempt();
    work.run(() -> RunningAttempt.run(attempt, own -> 1));
    work.cancel();
    assertThat(attempt.cutBecause()).isEmpty();
  }

  @Test
  void cleanUpIsDoneAlthoughTheWorkWasCalledOff() throws IOException {
    AtomicInteger done = new AtomicInteger();
    work.run(
        () -> {
          work.cancel();
          Cancellation.aside(
              () -> {
                Cancellation.checkCurrent();
                done.incrementAndGet();
              });
          assertThatThrownBy(Cancellation::checkCurrent).isInstanceOf(InterruptedIOException.class);
          return 1;
        });
    assertThat(done).hasValue(1);
  }

  @Test
  void aWaitForAStepThatNeverEndsIsEndedBySomebodyElse() {
    AtomicInteger looks = new AtomicInteger();
    Cancellation task = new Cancellation("the task was killed", () -> looks.incrementAndGet() > 1);
    assertThatThrownBy(() -> task.run(() -> awaited(new CompletableFuture<>())))
        .hasMessage("the task was killed");
  }

  private static Object awaited(CompletableFuture<Object> step) throws IOException {
    try {
      return Cancellation.await(step);
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new IOException(e);
    }
  }
}
