/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.util.Locale;

/**
 * The size that a packed file may grow to. One that grows to more than freeBytes and to more than
 * ratio times its size is taken for a bomb, as is one that grows to more than totalBytes.
 */
public record UnpackLimit(long freeBytes, long ratio, long totalBytes) {
  /**
   * Logs that repeat themselves a lot pack 200:1; gzip can do 1,032:1 at most, and only with one
   * byte again and again.
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
