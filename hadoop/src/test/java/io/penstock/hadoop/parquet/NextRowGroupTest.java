/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three row groups of four columns of 100 bytes: [4, 404), [404, 804), [804, 1204). */
class NextRowGroupTest {
  private static final byte[] FILE = Footer.file(3, 4, 100);

  private static NextRowGroup split(long start, long end) {
    return new NextRowGroup(
        Footer.rowGroups(FILE, FILE.length).orElseThrow(), new ByteRange(start, end));
  }

  private static ByteRange range(long start, long end) {
    return new ByteRange(start, end);
  }

  @Test
  void theSameColumnsOfTheNextRowGroupFollow() {
    NextRowGroup reader = split(0, 2000);

    // The first, and the third with the fourth, which Parquet reads as one.
    assertThat(reader.after(List.of(range(4, 104), range(204, 404))))
        .containsExactly(range(404, 504), range(604, 804));
    assertThat(reader.after(List.of(range(404, 504), range(604, 804))))
        .containsExactly(range(804, 904), range(1004, 1204));
    assertThat(reader.after(List.of(range(804, 904), range(1004, 1204)))).isEmpty();
  }

  @Test
  void aRowGroupBelongsToTheSplitThatContainsItsMiddle() {
    assertThat(split(0, 604).after(List.of(range(4, 104)))).isEmpty();
    assertThat(split(0, 605).after(List.of(range(4, 104)))).containsExactly(range(404, 504));
    assertThat(split(300, 2000).after(List.of(range(404, 504)))).containsExactly(range(804, 904));
  }

  @Test
  void nothingFollowsAfterARowGroupWasLeftOut() {
    NextRowGroup reader = split(0, 2000);

    assertThat(reader.after(List.of(range(404, 504)))).isEmpty();
    assertThat(reader.after(List.of(range(804, 904)))).isEmpty();
  }

  @Test
  void nothingFollowsAfterPagesWereLeftOut() {
    NextRowGroup reader = split(0, 2000);

    assertThat(reader.after(List.of(range(4, 104), range(204, 250)))).isEmpty();
    assertThat(reader.after(List.of(range(404, 504)))).isEmpty();
  }

  @Test
  void nothingFollowsOutsideTheSplit() {
    assertThat(split(1204, 2000).after(List.of(range(4, 104)))).isEmpty();
    assertThat(split(0, 2000).after(List.of())).isEmpty();
  }
}
