/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

/** The ways to number the parts of an upload, and to choose their sizes. */
public enum PartNumbering {
  /** Numbers parts without gaps, so all attempts of a part have the same number. */
  CONSECUTIVE(1),
  /** Leaves gaps between the numbers, so each part has spare numbers for its attempts. */
  SPACED(PartNumbers.SPARED),
  /**
   * Numbers parts without gaps, and all parts but the last have the size of the first. Cloudflare
   * R2 completes no other upload.
   */
  UNIFORM(1);

  private final int stride;

  PartNumbering(int stride) {
    this.stride = stride;
  }

  /**
   * Returns the numbers of the part at this index. The first part has index 0.
   *
   * @throws IllegalArgumentException when the index is not under {@link #partsMax}
   */
  public PartNumbers of(int index) {
    return new PartNumbers(index * stride + 1, stride);
  }

  /** Returns true if all parts but the last must have one size. */
  public boolean isUniform() {
    return this == UNIFORM;
  }

  /** Returns the largest number of parts that an upload can have. */
  public int partsMax() {
    return Part.MAX_NUMBER / stride;
  }
}
