/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ByteRange;
import java.util.ArrayList;
import java.util.List;

/** Joins wanted ranges that lie close together, so that one request serves several. */
public final class RangeMerger {
  private final ReadConfig config;

  public RangeMerger(ReadConfig config) {
    this.config = config;
  }

  /** One request, and the wanted ranges inside it, in order. */
  public record Merged(ByteRange range, List<ByteRange> wanted) {}

  /**
   * Groups ranges into requests. Two neighbours are joined if the gap between them is smaller than
   * {@link ReadConfig#mergeGapBytes} and the result is not larger than {@link
   * ReadConfig#mergeMaxBytes}. A single range may be larger.
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
    return gap < config.mergeGapBytes() && length <= config.mergeMaxBytes();
  }

  private static Merged close(List<ByteRange> group) {
    ByteRange whole = new ByteRange(group.get(0).start(), group.get(group.size() - 1).end());
    return new Merged(whole, List.copyOf(group));
  }
}
