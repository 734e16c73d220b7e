/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

/** The limits of a row group, which is kept in memory until it is written. */
final class OpenRowGroup {
  /**
   * The most rows of a row group: enough that dictionaries pay, and few enough for many threads.
   */
  static final int MAX_ROWS = 1 << 14;

  /** The bytes of texts at which a row group ends, however few rows it has. */
  static final int MAX_TEXT_BYTES = 16 << 20;

  private OpenRowGroup() {}
}
