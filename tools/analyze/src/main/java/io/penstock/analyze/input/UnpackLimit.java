/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.util.Locale;

/**
 * The limits on the decompressed size of a file. A file is treated as a decompression bomb if it
 * grows to more than freeBytes and also to more than ratio times its compressed size, or if it
 * grows to more than totalBytes.
 */
public record UnpackLimit(long freeBytes, long ratio, long totalBytes) {
  /**
   * The limits that are normally used. Very repetitive logs compress 200:1. Gzip reaches at most
   * 1,032:1, and only if a single byte is repeated.
   */
  public static final UnpackLimit DEFAULT = new UnpackLimit(1L << 30, 1000, 1L << 44);

  public UnpackLimit {
    if (freeBytes < 0 || ratio < 1 || totalBytes < 1) {
      throw new IllegalArgumentException(
          "limits must be positive, got %d, %d, %d".formatted(freeBytes, ratio, totalBytes));
    }
  }

  boolean isExceeded(long packedBytes, long bytes) {
    return bytes > totalBytes || (bytes > freeBytes && bytes / ratio >= Math.max(1, packedBytes));
  }

  String reason(long bytes) {
    return bytes > totalBytes
        ? String.format(
            Locale.ROOT, "unpacks to more than %,d bytes; looks like a bomb", totalBytes)
        : String.format(
            Locale.ROOT, "unpacks to more than %,d times its size; looks like a bomb", ratio);
  }
}
