/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.io.IOException;

/** The values of one column in one row group. */
interface ColumnChunk {
  /** Writes the values of so many rows and clears them. */
  void write(int rows, PageWriter pages) throws IOException;
}
