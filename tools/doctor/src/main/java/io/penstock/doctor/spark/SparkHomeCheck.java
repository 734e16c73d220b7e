/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.machine.Machine;
import java.util.List;
import java.util.Optional;

/**
 * Checks which Spark is installed, and if Penstock supports it.
 *
 * @param directory the directory given by the user; empty when none was given
 */
public record SparkHomeCheck(Machine machine, Optional<String> directory, Job job)
    implements Check {
  @Override
  public String name() {
    return "Spark";
  }

  @Override
  public List<CheckOutcome> look() {
    if (directory.isEmpty()) {
      return List.of(
          CheckOutcome.skipped(
              name(),
              "SPARK_HOME is not set; settings are checked for Spark %s with Hadoop %s"
                  .formatted(job.spark(), job.hadoop()),
              "Add --spark-home DIR, or set SPARK_HOME."));
    }
    Optional<SparkHome> home = job.home();
    if (home.isEmpty() || home.get().spark().isEmpty()) {
      return List.of(
          CheckOutcome.fail(
              name(),
              "no jars/spark-core_*.jar is in " + directory.get(),
              "Give the directory that contains jars/, such as .../site-packages/pyspark."));
    }
    Release spark = home.get().spark().get();
    String said =
        "%s, Scala %s, Hadoop %s"
            .formatted(
                spark,
                home.get().scala().orElse("?"),
                home.get().hadoop().map(Release::toString).orElse("?"));
    return List.of(
        spark.isBefore(3, 5, 0)
            ? CheckOutcome.fail(name(), said, "Penstock needs Spark 3.5 or later.")
            : spark.isBefore(4, 4, 0)
                ? CheckOutcome.pass(name(), said)
                : CheckOutcome.warn(
                    name(),
                    said + ": this is newer than the tested versions, 3.5 to 4.3",
                    "Try it first."));
  }
}
