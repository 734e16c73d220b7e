/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AmountsTest {
  @Test
  void aSizeInASentenceHasNoDigitThatSaysNothing() {
    assertThat(Amounts.bytes(256 * Amounts.MIB)).isEqualTo("256 MiB");
    assertThat(Amounts.bytes(5_452_595)).isEqualTo("5.2 MiB");
    assertThat(Amounts.bytes(100)).isEqualTo("100 B");
    assertThat(Amounts.bytes(10_240)).isEqualTo("10 KiB");
  }

  @Test
  void aSizeThatNoLongHoldsIsNone() {
    assertThat(Amounts.size("8388607t", 1)).contains(8_388_607L << 40);
    assertThat(Amounts.size("8388608t", 1)).isEmpty();
    assertThat(Amounts.size("16777216t", 1)).isEmpty();
    assertThat(Amounts.size("999999999999999", Amounts.MIB)).isEmpty();
  }
}
