/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

/** The table that a data file belongs to, as its key tells. */
public final class FooterTable {
  private FooterTable() {}

  /** Returns the directory of the key without the directories of partitions, {@code name=value}. */
  public static String of(String key) {
    int end = key.lastIndexOf('/');
    while (end > 0) {
      int start = key.lastIndexOf('/', end - 1);
      if (key.substring(start + 1, end).indexOf('=') < 0) {
        break;
      }
      end = start;
    }
    return key.substring(0, Math.max(0, end));
  }
}
