/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.NearestName;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds names of settings that nothing reads: misspelled, of another release, or without Spark's
 * prefix.
 */
public record NamesCheck(Job job, PenstockView penstock) implements Check {
  private static final String LOST_OF_OTHERS = "spark.fs.s3";

  @Override
  public String name() {
    return "setting names";
  }

  @Override
  public List<CheckOutcome> look() {
    List<CheckOutcome> outcomes = new ArrayList<>();
    job.given().lost().forEach(lost -> outcomes.add(lost(lost, lost)));
    for (String set : job.given().values().keySet()) {
      if (set.startsWith(S3aNames.PREFIX)) {
        ofS3a(set, outcomes);
      } else if (set.startsWith(LOST_OF_OTHERS)) {
        outcomes.add(lost(set.substring("spark.".length()), set));
      } else if (set.startsWith("spark.") || set.startsWith("parquet.")) {
        slip(set, outcomes);
      } else if (!set.startsWith(ConfigKey.PREFIX)) {
        penstock.meant(set).ifPresent(meant -> outcomes.add(mistyped(set, meant)));
      }
    }
    if (outcomes.isEmpty()) {
      int count = job.given().values().size();
      outcomes.add(
          CheckOutcome.pass(
              name(),
              "%,d settings: no name is misspelled, and Spark ignores none of them"
                  .formatted(count)));
    }
    return outcomes;
  }

  private CheckOutcome lost(String name, String set) {
    return CheckOutcome.fail(
        name(),
        set + " lacks the prefix spark.hadoop., so Spark ignores it",
        "Write spark.hadoop." + name + ".");
  }

  private void ofS3a(String set, List<CheckOutcome> outcomes) {
    switch (S3aNames.stateOf(set, job.hadoop())) {
      case KNOWN -> {
        // A known name needs no outcome.
      }
      case OTHER_RELEASE ->
          outcomes.add(
              CheckOutcome.warn(
                  name(),
                  "%s is not a setting of S3A in Hadoop %s".formatted(set, job.hadoop()),
                  "Remove the setting, or use a version of Hadoop that knows it."));
      case UNKNOWN ->
          outcomes.add(
              CheckOutcome.warn(
                  name(),
                  set + " is not a setting of S3A",
                  penstock
                      .meant(set)
                      .map(meant -> "Did you mean " + meant + "?")
                      .orElse("Remove the setting, or correct its name.")));
    }
  }

  private void slip(String set, List<CheckOutcome> outcomes) {
    List<String> known = EffectiveKeys.ALL.stream().map(EffectiveKeys.Key::name).toList();
    NearestName.slip(set, known).ifPresent(meant -> outcomes.add(mistyped(set, meant)));
  }

  private CheckOutcome mistyped(String set, String meant) {
    return CheckOutcome.warn(name(), set + " looks mistyped", "Did you mean " + meant + "?");
  }
}
