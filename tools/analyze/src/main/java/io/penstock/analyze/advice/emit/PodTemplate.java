/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Target;
import java.util.EnumSet;
import java.util.List;

/**
 * Writes advice as a pod template for executors. Spark sets the requests of CPU and memory from its
 * own settings and overwrites the values of a template, so the template has these, and all other
 * advice, only as comments.
 */
final class PodTemplate {
  private static final String HEAD =
      """
      # Settings recommended by 'penstock advise', for spark.kubernetes.executor.podTemplateFile
      # (and spark.kubernetes.driver.podTemplateFile).
      apiVersion: v1
      kind: Pod
      """;
  private static final String NOTHING =
      """
      # No recommendation changes the specification of pods.
      spec: {}
      """;
  private static final String NDOTS = "dnsConfig.options.ndots";

  private PodTemplate() {}

  static String of(List<Advice> all) {
    StringBuilder text = new StringBuilder(HEAD);
    for (Settled settled : Settled.others(all, EnumSet.of(Target.POD))) {
      text.append("# ").append(settled.reason()).append("\n# ");
      text.append(settled.elsewhere()).append('\n');
    }
    StringBuilder dns = new StringBuilder();
    for (Settled settled : Settled.of(all, EnumSet.of(Target.POD))) {
      if (settled.change().name().equals(NDOTS)) {
        dns.append("  # ").append(settled.reason()).append('\n');
        dns.append("  dnsConfig:\n    options:\n      - name: ndots\n        value: \"");
        dns.append(Integer.parseInt(settled.change().next())).append("\"\n");
      }
    }
    return text.append(dns.isEmpty() ? NOTHING : "spec:\n" + dns).toString();
  }
}
