/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

/**
 * The beginning of an object that grows, as parts that the store copies from the object itself.
 *
 * @param sizeBytes 0 if nothing is copied, otherwise 5 MiB or more
 * @param parts the number of parts, whose sizes are equal to the byte
 */
public record CopiedBeginning(long sizeBytes, int parts) {
  public static final CopiedBeginning NONE = new CopiedBeginning(0, 0);

  /** The store copies at most 5 GiB into a part; less is quicker. */
  private static final long PART_MAX = 1L << 30;

  /** Returns a beginning in as few parts as are copied quickly. */
  public static CopiedBeginning of(long sizeBytes) {
    return new CopiedBeginning(sizeBytes, (int) ((sizeBytes + PART_MAX - 1) / PART_MAX));
  }

  /** Returns as much of an object as fills parts of this size. */
  public static CopiedBeginning inPartsOf(long partBytes, long objectBytes) {
    long parts = objectBytes / partBytes;
    return new CopiedBeginning(parts * partBytes, Math.toIntExact(parts));
  }

  /**
   * Returns where a part begins.
   *
   * @param part from 0 on; the number of parts stands for the end
   */
  public long start(int part) {
    return parts == 0 ? 0 : sizeBytes / parts * part + Math.min(part, sizeBytes % parts);
  }
}
