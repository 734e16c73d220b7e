/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TailBytesTest {
  private static final long WORTH = 1_000;

  private final TailBytes tails = new TailBytes(64);

  private void saw(String table, long... sizes) {
    for (long size : sizes) {
      tails.saw(table + "/file", size);
    }
  }

  @Test
  void aTableThatIsNotKnownHasFooters() {
    assertThat(tails.of("t/file", WORTH)).isEqualTo(64);
    saw("t", 400);
    assertThat(tails.of("t/file", WORTH)).as("one file says little").isEqualTo(64);
  }

  @Test
  void aTableOfSmallFilesIsReadWhole() {
    saw("t", 400, 300);
    assertThat(tails.of("t/file", WORTH)).isBetween(400L, 500L);
    assertThat(tails.of("u/file", WORTH)).isEqualTo(64);
  }

  @Test
  void aTableOfTinyFilesIsReadByTheFooter() {
    saw("t", 10, 10);
    assertThat(tails.of("t/file", WORTH)).isEqualTo(64);
  }

  @Test
  void partitionsAreOneTable() {
    saw("t/day=1/hour=0", 400);
    saw("t/day=2/hour=7", 400);
    assertThat(tails.of("t/day=3/hour=1/file", WORTH)).isEqualTo(500);
    assertThat(tails.of("day=3/file", WORTH)).isEqualTo(64);
  }

  @Test
  void oneLargeFileAmongSmallOnesIsRememberedForAWhile() {
    saw("t", 400, 400, 5_000);
    assertThat(tails.of("t/file", WORTH)).isEqualTo(64);
    saw("t", 400, 400, 400, 400);
    assertThat(tails.of("t/file", WORTH)).isEqualTo(64);
    saw("t", new long[20]);
    assertThat(tails.of("t/file", WORTH)).isGreaterThan(64);
  }

  @Test
  void whoeverOnlyAsksForStatusesSoonGetsFootersOnly() {
    saw("t", new long[] {400, 400});
    for (int i = 0; i < 126; i++) {
      assertThat(tails.of("t/file", WORTH)).isEqualTo(500);
      saw("t", 400);
    }
    assertThat(tails.of("t/file", WORTH)).isEqualTo(64);
    tails.used("t/file");
    assertThat(tails.of("t/file", WORTH)).isEqualTo(500);
  }

  @Test
  void whatIsWorthItDecides() {
    saw("t", 800, 800);
    assertThat(tails.of("t/file", WORTH)).isEqualTo(WORTH);
    assertThat(tails.of("t/file", WORTH - 1)).isEqualTo(64);
  }
}
