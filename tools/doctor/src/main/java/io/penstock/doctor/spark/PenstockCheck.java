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
          CheckOutcome.skipped(name(), "neither settings nor an installed Spark were named"));
    }
    boolean hasJar = job.isJarGiven() || job.home().map(SparkHome::hasPenstock).orElse(false);
    if (job.usesPenstock()) {
      return List.of(
          hasJar
              ? CheckOutcome.pass(name(), "the jar and the setting that switches it on are there")
              : CheckOutcome.warn(
                  name(),
                  "it is switched on, and no penstock-spark.jar is in jars/ or in spark.jars",
                  "Add --jars \"$(./penstock jar)\", or put the jar into $SPARK_HOME/jars."));
    }
    return List.of(
        hasJar
            ? CheckOutcome.warn(
                name(), "the jar is there and is not switched on", "Set " + PLUGIN + ".")
            : CheckOutcome.skipped(
                name(),
                "not used: no jar, no plugin",
                "To use it: --jars \"$(./penstock jar)\" --conf " + PLUGIN));
  }
}
