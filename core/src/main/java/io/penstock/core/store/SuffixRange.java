/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The last {@code lengthBytes} bytes of an object, or the whole object when it is shorter. A length
 * that is not positive throws an IllegalArgumentException.
 */
public record SuffixRange(long lengthBytes) implements Range {
  public SuffixRange {
    if (lengthBytes <= 0) {
      throw new IllegalArgumentException("suffix must be positive, got " + lengthBytes);
    }
  }

  @Override
  public String toHeader() {
    return "bytes=-" + lengthBytes;
  }

  @Override
  public ByteSpan within(long objectSizeBytes) {
    return new ByteSpan(Math.max(0, objectSizeBytes - lengthBytes), objectSizeBytes);
  }
}
