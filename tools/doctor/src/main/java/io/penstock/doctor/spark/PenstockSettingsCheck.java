/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.MissingConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.SparkJudge;
import io.penstock.core.stack.StoreStack;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks that Penstock would start with its settings: every name is known and every value is valid.
 * Names the settings of S3A and EMRFS that would have no effect.
 *
 * <p>A class or a key may be missing here and present in the job, so that is a warning only. Values
 * with variables of Hadoop are not judged.
 */
public record PenstockSettingsCheck(Job job, PenstockView penstock) implements Check {
  private static final String PAGE =
      "Correct the setting; docs/configuration.md lists all settings.";

  @Override
  public String name() {
    return "Penstock settings";
  }

  @Override
  public List<CheckOutcome> look() {
    List<CheckOutcome> outcomes = new ArrayList<>();
    Map<String, String> values = job.given().values();
    for (String set : values.keySet()) {
      if (set.startsWith(ConfigKey.PREFIX)) {
        refused(() -> Settings.of(Map.of(set, "")).refuseUnknown(penstock.keys()), outcomes);
      }
    }
    // Given has taken spark.hadoop. off the other names; NamesCheck tells of those without it.
    List<String> ofSpark = values.keySet().stream().filter(n -> n.startsWith("spark.")).toList();
    refused(() -> SparkJudge.refuseLost(ofSpark), outcomes);
    Settings settings = Settings.of(values);
    penstock.keys().forEach(key -> refused(() -> settings.get(key), outcomes));
    if (outcomes.isEmpty()) {
      refused(() -> StoreStack.refuseContradictions(settings), outcomes);
    }
    if (job.usesPenstock() && outcomes.isEmpty()) {
      if (values.values().stream().noneMatch(value -> value.contains("${"))) {
        unusable(settings, outcomes);
      }
      List<String> ignored = penstock.withoutEffect().apply(settings);
      if (!ignored.isEmpty()) {
        outcomes.add(
            CheckOutcome.warn(
                name(),
                "no effect on Penstock: " + String.join(", ", ignored),
                "Remove them, or set what docs/configuration.md lists instead."));
      }
    }
    if (job.hasPlugin()) {
      outcomes.addAll(PluginFindings.outcomes(name(), job.judge().fileSystems()));
      outcomes.addAll(PluginFindings.outcomes(name(), job.judge().tableFormats()));
    }
    if (outcomes.isEmpty()) {
      long own = values.keySet().stream().filter(set -> set.startsWith(ConfigKey.PREFIX)).count();
      outcomes.add(
          CheckOutcome.pass(name(), "%d are set, all of them known and valid".formatted(own)));
    }
    return outcomes;
  }

  private void unusable(Settings settings, List<CheckOutcome> outcomes) {
    try {
      penstock.refuseUnusable().accept(settings);
    } catch (MissingConfigException e) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              e.getMessage(),
              "Nothing, if the job has it from elsewhere: --jars, core-site.xml, a credential"
                  + " file."));
    } catch (IllegalArgumentException e) {
      outcomes.add(
          settings.hasBuckets()
              ? CheckOutcome.warn(
                  name(),
                  "buckets without settings of their own cannot be used: " + e.getMessage(),
                  PAGE)
              : CheckOutcome.fail(name(), e.getMessage(), PAGE));
    }
  }

  /**
   * Runs a question, and adds an outcome if it is refused. The exception's message contains no
   * secret.
   */
  private void refused(Runnable question, List<CheckOutcome> outcomes) {
    try {
      question.run();
    } catch (ConfigException e) {
      outcomes.add(CheckOutcome.fail(name(), e.getMessage(), PAGE));
    }
  }
}
