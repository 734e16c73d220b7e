/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import io.penstock.core.read.NextRanges;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides which bytes of a Parquet file one reader will want after those that it reads now: the
 * same columns of the next row group of its split. Decides for none if the reader has left out a
 * row group or pages so far, because a filter may leave out the next ones, too. Not safe for many
 * threads.
 */
public final class NextRowGroup implements NextRanges {
  private final List<RowGroup> groups;
  private int next;
  private boolean leavesOut;

  /**
   * @param all the row groups of the file, in any order
   * @param split the bytes of the file for which the reader is responsible
   */
  NextRowGroup(List<RowGroup> all, ByteRange split) {
    this.groups =
        all.stream()
            .filter(group -> group.middle() >= split.start() && group.middle() < split.end())
            .sorted(Comparator.comparingLong(RowGroup::middle))
            .toList();
  }

  /**
   * Returns the order of reads in a Parquet file; empty if the bytes do not contain its footer.
   *
   * @param tail the last bytes of the file
   * @param split the bytes of the file for which the reader is responsible
   */
  public static Optional<NextRanges> of(ObjectSlice tail, ByteRange split) {
    return ParquetFooter.rowGroups(tail).map(all -> new NextRowGroup(all, split));
  }

  /** Returns the ranges with neighbours joined as Parquet's reader joins them. */
  @Override
  public List<ByteRange> after(List<ByteRange> wanted) {
    if (leavesOut || next >= groups.size() || wanted.isEmpty()) {
      return List.of();
    }
    List<Integer> columns = columnsOf(groups.get(next), wanted);
    leavesOut = columns.isEmpty();
    next++;
    return leavesOut || next >= groups.size() ? List.of() : ranges(groups.get(next), columns);
  }

  /** Returns the columns whose bytes are exactly the wanted ones; none if there are no such. */
  private static List<Integer> columnsOf(RowGroup group, List<ByteRange> wanted) {
    List<Integer> columns = new ArrayList<>();
    long left = bytes(wanted);
    for (int i = 0; i < group.columns().size(); i++) {
      ByteRange column = group.columns().get(i);
      if (wanted.stream().anyMatch(range -> contains(range, column))) {
        columns.add(i);
        left -= column.lengthBytes();
      }
    }
    return left == 0 ? columns : List.of();
  }

  private static boolean contains(ByteRange outer, ByteRange inner) {
    return outer.start() <= inner.start() && inner.end() <= outer.end();
  }

  private static long bytes(List<ByteRange> ranges) {
    return ranges.stream().mapToLong(ByteRange::lengthBytes).sum();
  }

  private static List<ByteRange> ranges(RowGroup group, List<Integer> columns) {
    List<ByteRange> sorted =
        columns.stream()
            .filter(column -> column < group.columns().size())
            .map(group.columns()::get)
            .sorted(Comparator.comparingLong(ByteRange::start))
            .toList();
    List<ByteRange> joined = new ArrayList<>();
    for (ByteRange range : sorted) {
      int last = joined.size() - 1;
      if (last >= 0 && range.start() < joined.get(last).end()) {
        return List.of(); // Columns that overlap are no columns.
      }
      if (last >= 0 && range.start() == joined.get(last).end()) {
        joined.set(last, new ByteRange(joined.get(last).start(), range.end()));
      } else {
        joined.add(range);
      }
    }
    return joined;
  }
}
