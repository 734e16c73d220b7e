/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/** The bytes a GET asks for: bounded from the start, or the last so many. */
public sealed interface Range permits ByteRange, SuffixRange {
  /** Returns it as the value of an HTTP {@code Range} header. */
  String toHeader();

  /**
   * Returns where the range starts and ends in an object of this size; empty (start == end) when it
   * touches no byte of it.
   */
  ByteSpan within(long objectSizeBytes);

  /** A resolved, possibly empty, half-open interval of an object. */
  record ByteSpan(long start, long end) {
    public long lengthBytes() {
      return end - start;
    }

    public boolean isEmpty() {
      return start >= end;
    }
  }
}
