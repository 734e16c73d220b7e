/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;

/**
 * Finds jobs whose keys are meant to come from the shell that submits them, to a standalone cluster
 * whose driver does not get that shell's variables.
 */
public record DriverKeysCheck(Job job) implements Check {
  private static final String FILTER = "spark.standalone.submit.filterEnvironment";

  private static final List<String> SOURCES =
      List.of("access.key", "credential", "profile", "role.arn", "awsAccessKeyId", "Provider");

  @Override
  public String name() {
    return "driver's keys";
  }

  @Override
  public List<CheckOutcome> look() {
    boolean isFiltered =
        is("spark.submit.deployMode", "cluster")
            && job.given().get("spark.master").orElse("").startsWith("spark://")
            && !job.spark().isBefore(4, 3, 0)
            && !is(FILTER, "false");
    boolean areSet =
        job.given().values().keySet().stream()
            .anyMatch(name -> SOURCES.stream().anyMatch(name::contains));
    return isFiltered && !areSet
        ? List.of(
            CheckOutcome.warn(
                name(),
                "no credentials are set, and since Spark 4.3 a standalone cluster's driver gets no"
                    + " variables of the submitting shell but SPARK_*",
                "Set the keys or a profile in Spark's settings, in the workers' environment, or "
                    + FILTER
                    + "=false."))
        : List.of();
  }

  private boolean is(String name, String value) {
    return job.given().get(name).filter(value::equals).isPresent();
  }
}
