/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingGroupTest {
  private final WaitingGroup crowd = new WaitingGroup();

  private static long nanos(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000)).toNanos();
  }

  private void enter(int count) {
    for (int i = 0; i < count; i++) {
      crowd.enter();
    }
  }

  private void served(int count, double second) {
    for (int i = 0; i < count; i++) {
      crowd.served(nanos(second), nanos(second));
    }
  }

  private int called() {
    int called = 0;
    while (crowd.calls()) {
      called++;
    }
    return called;
  }

  @Test
  void aRunOfGoodAnswersCallsThoseWhoWaitOneByOneAndThenTwoByTwo() {
    crowd.failed(nanos(1));
    enter(100);
    served(16, 2);
    assertThat(called()).isZero();
    served(1, 2);
    assertThat(called()).isEqualTo(1);
    served(15, 2);
    assertThat(called()).isEqualTo(15);
    served(10, 2);
    assertThat(called()).isEqualTo(20);
  }

  @Test
  void aFailureEndsTheRunAndTheCalls() {
    enter(100);
    served(20, 1);
    crowd.failed(nanos(2));
    assertThat(called()).isZero();
    served(16, 3);
    assertThat(called()).isZero();
  }

  @Test
  void answersToWhatWasSentBeforeTheFailureAreOld() {
    crowd.failed(nanos(5));
    enter(10);
    for (int i = 0; i < 50; i++) {
      crowd.served(nanos(4), nanos(6));
    }
    assertThat(called()).isZero();
  }

  @Test
  void nobodyIsCalledWhoDoesNotWait() {
    crowd.failed(nanos(1));
    enter(3);
    served(100, 2);
    crowd.leave();
    assertThat(called()).isEqualTo(2);
  }

  @Test
  void eachCallInVainDoublesTheRunUntilAllHaveGoneOn() {
    enter(2);
    crowd.calledInVain();
    crowd.failed(nanos(1));
    served(32, 2);
    assertThat(called()).isZero();
    served(1, 2);
    assertThat(called()).isEqualTo(1);

    crowd.leave();
    crowd.leave();
    enter(1);
    crowd.failed(nanos(3));
    served(17, 4);
    assertThat(called()).isEqualTo(1);
  }

  @Test
  void oneOfThemAsksEachSecondInWhichNothingIsHeard() {
    crowd.failed(nanos(1));
    enter(2);
    assertThat(crowd.sendsScout(nanos(1.9))).isFalse();
    assertThat(crowd.sendsScout(nanos(2))).isTrue();
    assertThat(crowd.sendsScout(nanos(2.9))).isFalse();
    crowd.served(nanos(2.9), nanos(2.9));
    assertThat(crowd.sendsScout(nanos(3.8))).isFalse();
    assertThat(crowd.sendsScout(nanos(3.9))).isTrue();
  }
}
