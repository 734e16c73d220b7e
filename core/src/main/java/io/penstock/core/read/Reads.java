/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.store.ByteRange;
import io.penstock.core.time.Time;
import java.util.List;

/**
 * The settings for reading a bucket, and the state that its reads share with others.
 *
 * @param budget of all reads of the process
 * @param speed of all reads from the endpoint
 * @param guesses which bytes to request before they are asked for
 * @param inFlightMost the most requests that the process sends at once
 */
public record Reads(
    ReadConfig config,
    ReadBudget budget,
    TransferSpeed speed,
    PrefetchPolicy guesses,
    Time time,
    int inFlightMost) {
  /** Creates reads that share no guesses with others. */
  public Reads(
      ReadConfig config, ReadBudget budget, TransferSpeed speed, Time time, int inFlightMost) {
    this(config, budget, speed, new PrefetchPolicy(), time, inFlightMost);
  }

  /** Returns the number of requests at once that should read so many bytes. */
  int requests(long bytes) {
    return speed.requests(bytes, inFlightMost, time.nowNanos());
  }

  /** Returns true if one more request at once lets more bytes arrive in total. */
  boolean gainsByMore() {
    return speed.gainsByMore(time.nowNanos());
  }

  /** Returns the largest size of a range to read ahead that is useful. */
  long windowMaxBytes() {
    return speed.windowBytes(time.nowNanos());
  }

  /**
   * Returns the requests that should read these ranges, before large ones are split.
   *
   * @param sorted the wanted ranges, sorted by start and not overlapping
   */
  public List<RangeMerger.Merged> merged(List<ByteRange> sorted) {
    long worthBytes = speed.gapBytes(time.nowNanos());
    return new RangeMerger(Math.min(config.mergeGapBytes(), worthBytes), config.mergeMaxBytes())
        .merge(sorted);
  }

  /** Returns the size of the pieces into which ranges of so many bytes in total are split. */
  public long pieceBytes(long totalBytes) {
    return RangeSplitter.pieceBytes(totalBytes, requests(totalBytes));
  }
}
