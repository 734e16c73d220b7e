/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import java.util.Locale;

/** The ends of a check. */
public enum Verdict {
  PASS,
  /** Works, and is slow, fragile or not what somebody expects. */
  WARN,
  FAIL,
  /** Not looked at; the outcome says why. */
  SKIPPED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
