/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.store.ByteRange;
import java.util.ArrayList;
import java.util.List;

/** Splits large ranges, so that several connections carry them at once. */
public final class RangeSplitter {
  /**
   * Larger pieces leave little room for others in the memory of reads. And where all connections
   * together are the limit, a large piece still arrives alone after the others: {@code penstock
   * simulate reads} shows that twice this size is slower by up to a quarter, and half of it makes
   * more requests and is not faster.
   */
  private static final long PIECE_MAX_BYTES = 16 << 20;

  private RangeSplitter() {}

  /**
   * Returns the size to which ranges of so many bytes in total should be split.
   *
   * @param requests the number of requests that should carry them
   */
  public static long pieceBytes(long totalBytes, int requests) {
    long even = (totalBytes + requests - 1) / requests;
    return Math.min(PIECE_MAX_BYTES, Math.max(TransferSpeed.PIECE_MIN_BYTES, even));
  }

  /** Splits a range into pieces of about this size, all of about the same size. */
  public static List<ByteRange> split(ByteRange range, long pieceBytes) {
    long count = Math.max(1, Math.round((double) range.lengthBytes() / pieceBytes));
    List<ByteRange> pieces = new ArrayList<>((int) count);
    for (long i = 0; i < count; i++) {
      long start = range.start() + i * range.lengthBytes() / count;
      pieces.add(new ByteRange(start, range.start() + (i + 1) * range.lengthBytes() / count));
    }
    return pieces;
  }
}
