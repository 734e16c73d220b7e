/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrayPoolTest {
  private final ArrayPool pool = new ArrayPool(16, 2);

  @Test
  void theArrayGivenBackLastIsTakenFirst() {
    byte[] first = pool.take();
    byte[] second = pool.take();
    assertThat(first).hasSize(16).isNotSameAs(second);
    pool.giveBack(first);
    pool.giveBack(second);
    assertThat(pool.take()).isSameAs(second);
    assertThat(pool.take()).isSameAs(first);
    assertThat(pool.take()).isNotSameAs(first).isNotSameAs(second);
  }

  @Test
  void arraysOfAnotherSizeAndTooManyOfThemAreNotKept() {
    byte[] small = new byte[15];
    pool.giveBack(small);
    assertThat(pool.take()).hasSize(16);
    byte[] third = new byte[16];
    for (byte[] array : new byte[][] {new byte[16], new byte[16], third}) {
      pool.giveBack(array);
    }
    assertThat(pool.take()).isNotSameAs(third);
  }
}
