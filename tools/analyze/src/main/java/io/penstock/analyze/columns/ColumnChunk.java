/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.io.IOException;

/** The values of one column in one row group. */
interface ColumnChunk {
  /**
   * Writes the values and clears them.
   *
   * @param column the index of the column
   * @param presence says in which rows the column has a value
   */
  void write(int column, ColumnPresence presence, PageWriter pages) throws IOException;
}
