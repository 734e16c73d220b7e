/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartWindowTest {
  private final StartWindow window = new StartWindow();

  @Test
  void eightGoAtOnce() {
    assertThat(window.admits(7, 5)).isTrue();
    assertThat(window.admits(8, 5)).isFalse();
  }

  @Test
  void aFullWindowDoublesEveryTenthOfASecondWhileAnswersCome() {
    window.answered(3 * 8);
    assertThat(window.admits(8, 5)).isFalse();
    assertThat(window.admits(8, 5.0999)).isFalse();
    assertThat(window.admits(8, 5.1001)).isTrue();
    assertThat(window.admits(15, 5.1001)).isTrue();
    assertThat(window.admits(16, 5.1001)).isFalse();
    window.answered(3 * 16);
    assertThat(window.admits(16, 5.2002)).isTrue();
    assertThat(window.admits(32, 5.2002)).isFalse();
  }

  @Test
  void itWaitsForAnswersThatTakeLongerButNotForEver() {
    assertThat(window.admits(8, 5)).isFalse();
    window.answered(3 * 8 - 1);
    assertThat(window.admits(8, 5.2999)).isFalse();
    assertThat(window.admits(8, 5.3001)).isTrue();
    assertThat(window.admits(16, 5.3001)).isFalse();
    window.answered(3 * 16);
    assertThat(window.admits(16, 5.4002)).isTrue();
  }

  @Test
  void aWindowThatIsNeverFullDoesNotGrow() {
    for (int i = 0; i < 100; i++) {
      assertThat(window.admits(7, i)).isTrue();
    }
    assertThat(window.admits(8, 100)).isFalse();
  }

  @Test
  void afterTheFirstThrottleItBoundsNothing() {
    window.end();
    assertThat(window.admits(1_000_000, 5)).isTrue();
  }

  @Test
  void whoWasNotLetInLooksAgainAfterTwoMilliseconds() {
    assertThat(StartWindow.LOOK_NANOS).isEqualTo(2_000_000);
  }
}
