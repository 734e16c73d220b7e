/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.finding;

import java.util.Locale;

/** The severity of a finding, from harmful to harmless. */
public enum Severity {
  /** The query fails when it starts, or soon after. */
  STOPS,
  /** The query runs, but its result is wrong: rows are lost or duplicated. */
  CORRUPTS,
  /** Nothing breaks, but users should know about the finding. */
  NOTICE;

  /** Returns true if a script that checks for problems should stop. */
  public boolean isHarmful() {
    return this != NOTICE;
  }

  /** Returns the word for this severity in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
