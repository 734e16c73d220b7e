/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The bytes that a GET asks for: an interval with start and end, or the last bytes of the object.
 */
public sealed interface Range permits ByteRange, SuffixRange {
  /** Returns the range as the value of an HTTP {@code Range} header. */
  String toHeader();

  /**
   * Returns the part of the range that lies inside an object of this size. The span is empty (start
   * == end) when the range contains no byte of the object.
   */
  ByteSpan within(long objectSizeBytes);

  /** A half-open interval inside an object; it may be empty. */
  record ByteSpan(long start, long end) {
    public long lengthBytes() {
      return end - start;
    }

    public boolean isEmpty() {
      return start >= end;
    }
  }
}
