/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyLawTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.999_999})
  void oneDrawOfEachStratumGivesTheMeasuredTail(double place) {
    LatencyLaw law = new LatencyLaw(10_208_803);
    long[] over = new long[4];
    int[] limits = {5_000, 10_000, 30_000, 60_000};
    for (long stratum = 9_698_000; stratum < 10_208_803; stratum++) {
      int millis = law.millis(stratum, place);
      for (int i = 0; i < limits.length; i++) {
        over[i] += millis > limits[i] ? 1 : 0;
      }
    }
    assertThat(over).containsExactly(26_602, 15_866, 14, 4);
  }

  @Test
  void theQuartilesAreTheMeasuredOnes() {
    LatencyLaw law = new LatencyLaw(1_000_000);
    assertThat(law.millis(0, 0)).isEqualTo(5);
    assertThat(law.millis(249_999, 0.5)).isEqualTo(48);
    assertThat(law.millis(250_000, 0.5)).isEqualTo(48);
    assertThat(law.millis(500_000, 0)).isEqualTo(80);
    assertThat(law.millis(950_000, 0)).isEqualTo(880);
  }

  @Test
  void aSmallerJobHasAShareOfTheTail() {
    LatencyLaw law = new LatencyLaw(1_020_880);
    long over = 0;
    for (long stratum = 0; stratum < 1_020_880; stratum++) {
      over += law.millis(stratum, 0) > 5_000 ? 1 : 0;
    }
    assertThat(over).isEqualTo(2_660);
  }

  @Test
  void longerIsNeverFaster() {
    LatencyLaw law = new LatencyLaw(5_000);
    int before = 0;
    for (long stratum = 0; stratum < 5_000; stratum++) {
      assertThat(law.millis(stratum, 0.3)).isBetween(before, 120_000);
      before = law.millis(stratum, 0.3);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 1_000, 4_096, 65_537})
  void aPermutationHasEachNumberOnce(long size) {
    Permutation permutation = new Permutation(size, 42);
    BitSet seen = new BitSet();
    for (long place = 0; place < size; place++) {
      seen.set((int) permutation.at(place));
    }
    assertThat(seen.cardinality()).isEqualTo((int) size);
    assertThat(seen.length()).isEqualTo((int) size);
  }
}
