/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ThrottleSamplerTest {
  @Test
  void allIsGivenAndNotMore() {
    for (long seed = 0; seed < 100; seed++) {
      ThrottleSampler urn = new ThrottleSampler(new SplittableRandom(seed), 37, 20);
      int given = 0;
      for (int chain = 0; chain < 20; chain++) {
        given += urn.next();
      }
      assertThat(given).as("seed %d", seed).isEqualTo(37);
    }
  }

  @Test
  void attemptsAreGeometric() {
    int chains = 100_000;
    ThrottleSampler urn = new ThrottleSampler(new SplittableRandom(1), 50_000, chains);
    int[] chainsOf = new int[60];
    for (int chain = 0; chain < chains; chain++) {
      chainsOf[urn.next()]++;
    }
    // Of 50,000 throttled attempts in 150,000 each attempt is throttled with a chance of a third.
    assertThat(chainsOf[0] / 1e5).isCloseTo(2 / 3.0, within(0.01));
    assertThat(chainsOf[1] / 1e5).isCloseTo(2 / 9.0, within(0.01));
    assertThat(chainsOf[2] / 1e5).isCloseTo(2 / 27.0, within(0.01));
  }

  @Test
  void noChainButTheLastIsThrottledForEver() {
    ThrottleSampler urn = new ThrottleSampler(new SplittableRandom(1), 1_000, 3);
    assertThat(urn.next()).isLessThanOrEqualTo(12);
    assertThat(urn.next()).isLessThanOrEqualTo(12);
    assertThat(urn.next()).isGreaterThanOrEqualTo(976);
  }

  @Test
  void aChainTooManyIsAnError() {
    ThrottleSampler urn = new ThrottleSampler(new SplittableRandom(1), 1, 1);
    urn.next();
    assertThatThrownBy(urn::next).isInstanceOf(IllegalStateException.class);
  }
}
