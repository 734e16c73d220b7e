/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkDurationsTest {
  @Test
  void shortOnesAreExact() {
    SparkDurations durations = new SparkDurations();
    for (int i = 1; i <= 100; i++) {
      durations.add(i);
    }
    assertThat(durations.quantile(0.5)).isEqualTo(50);
    assertThat(durations.quantile(0.95)).isEqualTo(95);
    assertThat(durations.longest()).isEqualTo(100);
    assertThat(new SparkDurations().quantile(0.5)).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void longOnesAreWithinOnePerCent(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    long[] all = new long[2001];
    SparkDurations durations = new SparkDurations();
    for (int i = 0; i < all.length; i++) {
      all[i] = (long) Math.exp(chance.nextDouble() * 34);
      durations.add(all[i]);
    }
    Arrays.sort(all);
    assertThat(durations.quantile(0.5))
        .as("seed %d", seed)
        .isCloseTo((double) all[1000], within(all[1000] * 0.01));
    assertThat(durations.quantile(0.95))
        .as("seed %d", seed)
        .isCloseTo((double) all[1900], within(all[1900] * 0.01));
    assertThat(durations.longest()).isEqualTo((double) all[2000]);
  }
}
