/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

import java.util.Objects;

/**
 * A part of an upload that is in the store.
 *
 * @param number 1 to 10,000
 */
public record Part(int number, String etag, long sizeBytes) {
  public static final int MAX_NUMBER = 10_000;

  /** S3's lower limit for every part but the last. */
  public static final long MIN_SIZE_BYTES = 5L << 20;

  /** S3's upper limit for a part, and for an object written by one PUT. */
  public static final long MAX_SIZE_BYTES = 5L << 30;

  public Part {
    Objects.requireNonNull(etag, "etag");
    if (number < 1 || number > MAX_NUMBER) {
      throw new IllegalArgumentException("part number must be 1 to 10000, got " + number);
    }
  }
}
