/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/** Checks that both Penstock's jar and its plugin are configured. */
public record PenstockCheck(Job job) implements Check {
  private static final String PLUGIN = "spark.plugins=io.penstock.spark.PenstockPlugin";

  @Override
  public String name() {
    return "Penstock";
  }

  @Override
  public List<CheckOutcome> look() {
    if (!job.isKnown()) {
      return List.of(
          CheckOutcome.skipped(
              name(), "not checked: neither settings nor an installed Spark were given"));
    }
    boolean hasJar = job.isJarGiven() || job.home().map(SparkHome::hasPenstock).orElse(false);
    if (job.usesPenstock()) {
      return List.of(
          hasJar
              ? CheckOutcome.pass(name(), "the jar and the setting that enables it are present")
              : CheckOutcome.warn(
                  name(),
                  "it is enabled, but penstock-spark.jar is neither in jars/ nor in spark.jars",
                  "Add --jars \"$(penstock jar)\", or copy the jar to $SPARK_HOME/jars."));
    }
    if (job.switchedOff().isPresent()) {
      return List.of(
          CheckOutcome.pass(
              name(),
              "its plugin leaves file systems as they are: %s=false"
                  .formatted(job.switchedOff().get())));
    }
    if (job.misnamedPlugin().isPresent()) {
      return List.of(
          CheckOutcome.fail(
              name(),
              "spark.plugins names %s, which Penstock does not have"
                  .formatted(job.misnamedPlugin().get()),
              "Set " + PLUGIN + "."));
    }
    return List.of(
        hasJar
            ? CheckOutcome.warn(
                name(), "the jar is present, but Penstock is not enabled", "Set " + PLUGIN + ".")
            : CheckOutcome.skipped(
                name(),
                "not used: both the jar and the plugin setting are missing",
                "To use Penstock, add: --jars \"$(penstock jar)\" --conf " + PLUGIN));
  }
}
