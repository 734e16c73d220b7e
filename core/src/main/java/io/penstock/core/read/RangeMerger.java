/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ByteRange;
import java.util.ArrayList;
import java.util.List;

/** Joins wanted ranges that lie close together, so that one request serves several. */
public final class RangeMerger {
  private final long gapMaxBytes;
  private final long mergedMaxBytes;

  /**
   * @param gapMaxBytes ranges are joined only if fewer bytes are between them
   * @param mergedMaxBytes the largest result of joining ranges; a single range may be larger
   */
  public RangeMerger(long gapMaxBytes, long mergedMaxBytes) {
    this.gapMaxBytes = gapMaxBytes;
    this.mergedMaxBytes = mergedMaxBytes;
  }

  /** One request, and the wanted ranges inside it, in order. */
  public record Merged(ByteRange range, List<ByteRange> wanted) {}

  /**
   * Groups ranges into requests.
   *
   * @param sorted the wanted ranges, sorted by start and not overlapping
   */
  public List<Merged> merge(List<ByteRange> sorted) {
    List<Merged> merged = new ArrayList<>();
    List<ByteRange> group = new ArrayList<>();
    for (ByteRange next : sorted) {
      if (!group.isEmpty() && !fits(group, next)) {
        merged.add(close(group));
        group = new ArrayList<>();
      }
      group.add(next);
    }
    if (!group.isEmpty()) {
      merged.add(close(group));
    }
    return merged;
  }

  private boolean fits(List<ByteRange> group, ByteRange next) {
    long gap = next.start() - group.get(group.size() - 1).end();
    long length = next.end() - group.get(0).start();
    return gap < gapMaxBytes && length <= mergedMaxBytes;
  }

  private static Merged close(List<ByteRange> group) {
    ByteRange whole = new ByteRange(group.get(0).start(), group.get(group.size() - 1).end());
    return new Merged(whole, List.copyOf(group));
  }
}
