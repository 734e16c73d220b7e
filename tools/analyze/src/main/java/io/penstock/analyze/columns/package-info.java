/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Writes Parquet files: the interchange between the parsers and the embedded engine. DuckDB reads
 * these files faster than it takes the same rows from a table function, because repeated texts
 * arrive as codes of a dictionary.
 */
package io.penstock.analyze.columns;
