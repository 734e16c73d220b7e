/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.parts.PartNumbering;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartSizesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 33554432, 33554432",
    "1000, 33554432, 33554432",
    "1001, 33554432, 67108864",
    "2001, 33554432, 134217728",
    "8000, 33554432, 4294967296",
    "8001, 33554432, 5368709120",
    "10000, 33554432, 5368709120",
    "1000, 5242880, 5242880",
    "1001, 5242880, 10485760",
    "10000, 5242880, 2684354560",
    "1, 5368709120, 5368709120",
    "1001, 5368709120, 5368709120",
    "10000, 5368709120, 5368709120",
  })
  void aPartDoublesEveryThousandUpTo5Gib(int number, long first, long expected) {
    assertThat(PartSizes.ofPart(number, first)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "50000000000, 33554432, 1246",
    "50000000000, 8388608, 2741",
    "50000000000, 5242880, 3318",
    "5497558138880, 33554432, 7288",
    "5497558138880, 8388608, 9282",
    "33554432, 33554432, 1",
    "33554433, 33554432, 2",
  })
  void anObjectTakesSoManyParts(long objectSizeBytes, long first, int parts) {
    int number = 0;
    for (long left = objectSizeBytes; left > 0; left -= PartSizes.ofPart(number, first)) {
      number++;
    }
    assertThat(number).isEqualTo(parts);
  }

  @ParameterizedTest
  @CsvSource({"33554432, 19293798400000", "3221225472, 51539607552000"})
  void tenThousandPartsHoldSoMuch(long first, long expected) {
    long capacity = 0;
    for (int number = 1; number <= 10_000; number++) {
      capacity += PartSizes.ofPart(number, first);
    }
    assertThat(capacity).isEqualTo(expected);
  }

  @Test
  void twelveHundredAndFiftySpacedPartsHoldTwoTebibytes() {
    PartNumbering spaced = PartNumbering.SPACED;
    long capacity = 0;
    for (int index = 0; index < spaced.partsMax(); index++) {
      capacity += PartSizes.ofPart(spaced.of(index).first(), 32L << 20);
    }
    assertThat(spaced.partsMax()).isEqualTo(1250);
    assertThat(capacity).isGreaterThan(2_199_023_255_552L);
  }
}
