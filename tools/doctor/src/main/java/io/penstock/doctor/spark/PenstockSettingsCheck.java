/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that Penstock would start with its settings: every name is known and every value is valid.
 *
 * @param keys the settings that this process knows
 */
public record PenstockSettingsCheck(Job job, List<ConfigKey<?>> keys) implements Check {
  /** The settings of modules that exist only in a Spark process. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "penstock.block.size",
          "penstock.checkpoint.mount.wait",
          "penstock.spark.checkpoint.enabled",
          "penstock.spark.commit.enabled");

  private static final String PAGE =
      "Correct the setting; docs/configuration.md lists all settings.";

  /** Returns true if the setting belongs to a module that exists only in a Spark process. */
  public static boolean isReadInSparkOnly(String name) {
    return ELSEWHERE.contains(name);
  }

  @Override
  public String name() {
    return "Penstock settings";
  }

  @Override
  public List<CheckOutcome> look() {
    List<CheckOutcome> outcomes = new ArrayList<>();
    Map<String, String> values = job.given().values();
    for (String set : values.keySet()) {
      if (set.startsWith(ConfigKey.PREFIX) && !isReadInSparkOnly(set)) {
        refused(() -> Settings.of(Map.of(set, "")).refuseUnknown(keys), outcomes);
      }
    }
    Settings settings = Settings.of(values);
    keys.forEach(key -> refused(() -> settings.get(key), outcomes));
    if (outcomes.isEmpty()) {
      long own = values.keySet().stream().filter(set -> set.startsWith(ConfigKey.PREFIX)).count();
      outcomes.add(
          CheckOutcome.pass(name(), "%d are set, all of them known and valid".formatted(own)));
    }
    return outcomes;
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
