/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.parts.Part;

/**
 * Decides the size of each part of an upload. The final size of an object is unknown while the
 * object is written, and an upload has at most 10,000 part numbers. Therefore the size doubles
 * every 1,000 numbers. Starting at 8 MiB, this reaches 5 TiB and more; starting at the default
 * size, it reaches 17.5 TiB; starting at 3 GiB, it reaches the 50 TB of S3's largest object. Small
 * objects still have small parts: 50 GB takes 1,246 parts of 32 and 64 MiB. When each part has
 * eight numbers, the same object takes 452 parts of up to 256 MiB, and the largest object has 2.2
 * TiB with the default part size.
 */
final class PartSizes {
  private static final int PARTS_PER_STEP = 1000;

  private PartSizes() {}

  static long ofPart(int number, long firstSizeBytes) {
    long size = firstSizeBytes << ((number - 1) / PARTS_PER_STEP);
    return Math.min(size, Part.MAX_SIZE_BYTES);
  }
}
