/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.overview;

import java.util.Locale;

/** Writes a number of things: 1 file, 2 files. */
final class Counted {
  private Counted() {}

  static String of(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}
