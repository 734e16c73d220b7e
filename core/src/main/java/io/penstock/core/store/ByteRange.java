/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The bytes {@code [start, end)} of an object. The range may reach past the object's end. A
 * negative start or an empty range throws an IllegalArgumentException.
 */
public record ByteRange(long start, long end) implements Range {
  public ByteRange {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "range must be non-empty, got [%d, %d)".formatted(start, end));
    }
  }

  public long lengthBytes() {
    return end - start;
  }

  @Override
  public String toHeader() {
    return "bytes=" + start + "-" + (end - 1);
  }

  @Override
  public ByteSpan within(long objectSizeBytes) {
    long from = Math.min(start, objectSizeBytes);
    return new ByteSpan(from, Math.max(from, Math.min(end, objectSizeBytes)));
  }
}
