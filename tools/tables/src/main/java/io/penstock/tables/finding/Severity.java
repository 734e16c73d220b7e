/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.finding;

import java.util.Locale;

/** The effects of a finding on whoever relies on what was looked at, from bad to harmless. */
public enum Severity {
  /** The query fails when it is started, or soon after. */
  STOPS,
  /** The query runs, and its result is wrong: rows are lost or doubled. */
  CORRUPTS,
  /** Nothing breaks; worth knowing. */
  NOTICE;

  /** Returns true if a script should stop here. */
  public boolean isHarmful() {
    return this != NOTICE;
  }

  /** Returns it as it is written in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
