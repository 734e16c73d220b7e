/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/** Numbers the parts of an upload. */
public enum PartNumbering {
  /** Numbers follow each other, so that all attempts of a part have the same. */
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
