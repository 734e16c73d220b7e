/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/** Numbers the parts of an upload, as suits what the store makes of a number that comes twice. */
public enum PartNumbering {
  /**
   * Consecutive numbers; a part may be sent twice at the same time, and one of the two stays
   * whatever becomes of the other. Amazon S3 is like that.
   */
  REPLACEABLE(1),
  /**
   * Consecutive numbers; of two attempts of one number at the same time, the one that is cut short
   * may remove the other's part. So a part is not hedged.
   */
  CONSECUTIVE(1),
  /** Numbers may be left out, so that each part gets spare ones. */
  SPACED(PartNumbers.SPARED);

  private final int stride;

  PartNumbering(int stride) {
    this.stride = stride;
  }

  /** Returns the numbers of a part, the first of which has the index 0. */
  public PartNumbers of(int index) {
    return new PartNumbers(index * stride + 1, stride);
  }

  /** Returns how many parts an upload can have. */
  public int partsMax() {
    return Part.MAX_NUMBER / stride;
  }
}
