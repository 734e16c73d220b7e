/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import java.util.Locale;

/** Writes a number of things: 1 file, 2 files. */
public final class Counted {
  private Counted() {}

  /** Returns the number and the word for it, such as 1,200 files. */
  public static String of(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }

  /** Returns the number and a word whose plural has an s at its end. */
  public static String of(long count, String one) {
    return of(count, one, one + "s");
  }
}
