/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
  @Test
  void underBackoffThrottlingStartsAfterSeventySecondsAndIsThereToTheEnd() {
    Arrivals arrivals = Arrivals.published(false, 1_287_000);
    assertThat(arrivals.throttles().shareBefore(68_000)).isZero();
    assertThat(perSecond(arrivals.throttles(), 532_682, 80)).isCloseTo(900, within(45.0));
    assertThat(perSecond(arrivals.throttles(), 532_682, 300)).isCloseTo(400, within(20.0));
    assertThat(perSecond(arrivals.throttles(), 532_682, 780)).isCloseTo(580, within(29.0));
    assertThat(perSecond(arrivals.throttles(), 532_682, 1_285)).isCloseTo(150, within(8.0));
  }

  @Test
  void underAimdMostAreThrottledInOneBurst() {
    Arrivals arrivals = Arrivals.published(true, 1_138_000);
    Curve throttles = arrivals.throttles();
    assertThat(throttles.shareBefore(69_000)).isZero();
    assertThat(perSecond(throttles, 9_704, 75)).isCloseTo(600, within(60.0));
    assertThat(throttles.shareBefore(83_000)).isGreaterThan(0.6);
  }

  @Test
  void filesAreWrittenAsFastAsTheFigureHasThem() {
    Arrivals arrivals = Arrivals.published(false, 1_287_000);
    // A file is three requests; the peak is 4,580 a second, the dent 1,050 with 400 throttled.
    assertThat(3 * perSecond(arrivals.files(), 579_158, 65)).isCloseTo(4_580, within(230.0));
    assertThat(3 * perSecond(arrivals.files(), 579_158, 350)).isCloseTo(650, within(60.0));
  }

  @Test
  void aCurveAndItsInverseAgree() {
    Curve curve = Arrivals.published(false, 100_000).files();
    for (int i = 0; i <= 100; i++) {
      assertThat(curve.shareBefore(curve.millisAt(i / 100.0))).isCloseTo(i / 100.0, within(1e-9));
    }
  }

  private static double perSecond(Curve curve, long all, int second) {
    return all * (curve.shareBefore(1_000.0 * (second + 1)) - curve.shareBefore(1_000.0 * second));
  }
}
