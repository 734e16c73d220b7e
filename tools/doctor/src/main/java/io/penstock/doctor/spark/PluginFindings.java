/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.spark.SparkJudge;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/** Shows what the plugin would say at its start. */
final class PluginFindings {
  private PluginFindings() {}

  /**
   * Returns the outcomes of a check, which passes if there is no finding.
   *
   * @param passText what is said if there is no finding
   */
  static List<CheckOutcome> of(String check, List<SparkJudge.Finding> findings, String passText) {
    return findings.isEmpty()
        ? List.of(CheckOutcome.pass(check, passText))
        : outcomes(check, findings);
  }

  static List<CheckOutcome> outcomes(String check, List<SparkJudge.Finding> findings) {
    return findings.stream().map(finding -> outcome(check, finding)).toList();
  }

  private static CheckOutcome outcome(String check, SparkJudge.Finding finding) {
    String said = "%s=%s %s".formatted(finding.name(), finding.value(), finding.problem());
    String fix = finding.remedy() + ".";
    return finding.isRefused()
        ? CheckOutcome.fail(check, said + "; the plugin refuses to start with it", fix)
        : CheckOutcome.warn(check, said, fix);
  }
}
