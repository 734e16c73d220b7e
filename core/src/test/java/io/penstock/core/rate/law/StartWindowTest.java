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
  void afterAThrottleItBoundsNothing() {
    window.end();
    assertThat(window.admits(1_000_000, 5)).isTrue();
  }

  private void grownTo512() {
    for (int i = 0; i < 6; i++) {
      window.answered(3000);
      assertThat(window.admits(8 << i, 5 + 0.2 * i)).isFalse();
      assertThat(window.admits(8 << i, 5.11 + 0.2 * i)).isTrue();
    }
    assertThat(window.admits(511, 7)).isTrue();
  }

  @Test
  void afterAPauseItIs64() {
    grownTo512();
    window.sees(400, 7);
    window.sees(0, 17.1);
    assertThat(window.admits(63, 17.1)).isTrue();
    assertThat(window.admits(64, 17.1)).isFalse();
    assertThat(window.admits(64, 17.1999)).isFalse();
    assertThat(window.admits(64, 17.5)).as("grows like at the start").isTrue();
  }

  @Test
  void whatIsUsedStays() {
    grownTo512();
    for (int i = 0; i < 1_000; i++) {
      window.sees(i % 2 * 300, 7 + 0.1 * i);
    }
    assertThat(window.admits(511, 107)).isTrue();
  }

  @Test
  void whatIsInFlightAllTheTimeIsUsed() {
    grownTo512();
    window.sees(100, 7);
    window.sees(100, 60);
    assertThat(window.admits(199, 60)).isTrue();
    assertThat(window.admits(200, 60)).isFalse();
  }

  @Test
  void aWindowThatWasFullLongAgoGrowsNoFaster() {
    window.sees(0, 5);
    assertThat(window.admits(8, 5)).isFalse();
    window.sees(0, 65);
    assertThat(window.admits(8, 65)).isFalse();
    assertThat(window.admits(8, 65.2)).isFalse();
    assertThat(window.admits(8, 65.4)).isTrue();
  }

  @Test
  void itShrinksToTwiceWhatIsUsed() {
    grownTo512();
    for (int i = 0; i < 200; i++) {
      window.sees(100, 7 + 0.1 * i);
    }
    assertThat(window.admits(199, 27)).isTrue();
    assertThat(window.admits(200, 27)).isFalse();
  }

  @Test
  void aWindowThatHasNotGrownYetDoesNotGrowByAPause() {
    window.sees(0, 5);
    window.sees(0, 100);
    assertThat(window.admits(8, 100)).isFalse();
  }

  @Test
  void aLimitThatAThrottleEndedComesBackAfterAPause() {
    window.sees(100, 5);
    window.end();
    window.sees(0, 20);
    assertThat(window.admits(63, 20)).isTrue();
    assertThat(window.admits(64, 20)).isFalse();
  }

  @Test
  void whoWasNotLetInLooksAgainAfterTwoMilliseconds() {
    assertThat(StartWindow.LOOK_NANOS).isEqualTo(2_000_000);
  }
}
