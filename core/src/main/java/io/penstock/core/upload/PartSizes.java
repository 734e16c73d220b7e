/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Part;

/**
 * Decides how large each part of an upload is. The size of an object is not known while it is
 * written, and there are at most 10,000 numbers, so the size doubles every 1,000 numbers: from 8
 * MiB on that reaches 5 TiB and more, 17.5 TiB with the default, while small objects keep small
 * parts: 50 GB takes 1,246 parts of 32 and 64 MiB. Where each part has eight numbers, the same
 * object takes 452 parts of up to 256 MiB, and the largest object is 2.2 TiB with the default size
 * of parts.
 */
final class PartSizes {
  private static final int PARTS_PER_STEP = 1000;

  private PartSizes() {}

  static long ofPart(int number, long firstSizeBytes) {
    long size = firstSizeBytes << ((number - 1) / PARTS_PER_STEP);
    return Math.min(size, Part.MAX_SIZE_BYTES);
  }
}
