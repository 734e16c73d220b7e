/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import java.util.List;

/**
 * The outcomes of all checks.
 *
 * @param settings the effective settings; empty when no settings were given
 */
public record DoctorReport(String target, List<Line> lines, List<Effective> settings) {
  /** An outcome and the group of checks that it belongs to. */
  public record Line(String group, CheckOutcome outcome) {}

  /**
   * One setting as a job would use it.
   *
   * @param state default, set, or the problem with the setting
   */
  public record Effective(String name, String value, String state) {}

  public DoctorReport {
    lines = List.copyOf(lines);
    settings = List.copyOf(settings);
  }

  public long count(Verdict verdict) {
    return lines.stream().filter(line -> line.outcome().verdict() == verdict).count();
  }

  /** Returns true if nothing failed and, with {@code isStrict}, there were no warnings either. */
  public boolean isWell(boolean isStrict) {
    return count(Verdict.FAIL) == 0 && !(isStrict && count(Verdict.WARN) > 0);
  }
}
