/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

/**
 * The beginning of an object that grows, as parts that the store copies from the object itself.
 *
 * @param sizeBytes 0 if nothing is copied, otherwise 5 MiB or more
 */
public record CopiedBeginning(long sizeBytes) {
  public static final CopiedBeginning NONE = new CopiedBeginning(0);

  /** The store copies at most 5 GiB into a part; less is quicker. */
  private static final long PART_MAX = 1L << 30;

  /** Returns the number of parts, whose sizes are equal to the byte. */
  public int parts() {
    return (int) ((sizeBytes + PART_MAX - 1) / PART_MAX);
  }

  /**
   * Returns where a part begins.
   *
   * @param part from 0 on; the number of parts stands for the end
   */
  public long start(int part) {
    return parts() == 0 ? 0 : sizeBytes * part / parts();
  }
}
