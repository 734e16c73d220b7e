/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadAheadDepthTest {
  private final ReadAheadDepth depth = new ReadAheadDepth();

  @Test
  void aReaderThatWaitsGoesDeeperUpToALimit() {
    assertThat(depth.now()).isEqualTo(1);
    for (int expected : new int[] {2, 4, 8, 16, 16}) {
      depth.waited();
      assertThat(depth.now()).isEqualTo(expected);
    }
  }

  @Test
  void aReaderBeginsWithAsManyRangesAsItCanUse() {
    depth.begin(5);
    assertThat(depth.now()).isEqualTo(5);
    depth.begin(2);
    assertThat(depth.now()).isEqualTo(5);
    depth.begin(40);
    assertThat(depth.now()).isEqualTo(16);
  }

  @Test
  void aReaderThatFindsAllReadyGoesLessDeepInTime() {
    depth.waited();
    depth.waited();
    for (int i = 0; i < 15; i++) {
      depth.wasReady();
    }
    assertThat(depth.now()).isEqualTo(4);
    depth.wasReady();
    assertThat(depth.now()).isEqualTo(3);
    for (int i = 0; i < 100; i++) {
      depth.wasReady();
    }
    assertThat(depth.now()).isEqualTo(1);
  }
}
