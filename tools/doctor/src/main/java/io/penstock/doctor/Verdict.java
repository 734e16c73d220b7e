/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import java.util.Locale;

/** The possible results of a check. */
public enum Verdict {
  PASS,
  /** It works, but it is slow, fragile or unexpected. */
  WARN,
  FAIL,
  /** The check did not run; the outcome gives the reason. */
  SKIPPED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
