/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.NearestName;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.SparkJudge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A {@code spark-defaults.conf} without the settings that stop or mislead a job with Penstock's
 * plugin. What is taken away stays as a comment, with the reason above it.
 *
 * @param text the new file; it contains the secrets of the old one
 * @param changes how many lines of the old file are not as they were
 */
public record CorrectedConf(String text, int changes) {
  private static final String OF_SPARK = "spark.hadoop.";

  /**
   * Corrects the text of a file.
   *
   * @param keys the settings that Penstock knows
   * @param ignored the settings of S3A and EMRFS that Penstock ignores, without Spark's prefix
   * @throws IOException when the text is not a properties file
   */
  public static CorrectedConf of(
      String text, Job job, List<ConfigKey<?>> keys, List<String> ignored) throws IOException {
    Map<String, String> reasons = reasons(job, ignored);
    List<String> lines = new ArrayList<>();
    int changes = 0;
    boolean continues = false;
    for (String line : text.split("\n", -1)) {
      String name = continues ? "" : nameIn(line);
      continues = line.stripTrailing().endsWith("\\") && !line.stripLeading().startsWith("#");
      // A value over several lines is left to its author.
      String reason = continues ? null : reasons.get(name);
      String right = continues ? name : rightName(name, keys);
      if (reason != null) {
        lines.add("# " + reason);
        lines.add("# " + line.strip());
        changes++;
      } else if (right.equals(name)) {
        lines.add(line);
      } else {
        lines.add(right + line.strip().substring(name.length()));
        changes++;
      }
    }
    return new CorrectedConf(String.join("\n", lines), changes);
  }

  /** Returns why a line is taken away, by the name of its setting in the file. */
  private static Map<String, String> reasons(Job job, List<String> ignored) {
    Map<String, String> reasons = new HashMap<>();
    ignored.forEach(name -> reasons.put(OF_SPARK + name, "Penstock does not read this setting."));
    List<SparkJudge.Finding> findings = new ArrayList<>();
    if (job.hasPlugin()) {
      findings.addAll(job.judge().tableFormats());
    }
    if (job.hasPlugin() && !job.keepsCommitters()) {
      findings.addAll(job.judge().committers());
    }
    if (job.hasPlugin() && !job.keepsCheckpoints()) {
      findings.addAll(job.judge().checkpoints());
    }
    for (SparkJudge.Finding finding : findings) {
      String reason = "This setting %s.".formatted(finding.problem());
      reasons.put(finding.name(), reason);
      reasons.put(OF_SPARK + finding.name(), reason);
    }
    return reasons;
  }

  /** Returns the name that the author of the file must have meant. */
  private static String rightName(String name, List<ConfigKey<?>> keys) {
    String bare = name;
    if (name.startsWith(OF_SPARK)) {
      bare = name.substring(OF_SPARK.length());
    } else if (name.startsWith("spark." + ConfigKey.PREFIX)) {
      bare = name.substring("spark.".length());
    } else if (!Given.ofSpark(Map.of(name, "")).lost().contains(name)) {
      return name;
    }
    return OF_SPARK + (isUnknown(bare, keys) ? nearest(bare, keys) : bare);
  }

  private static boolean isUnknown(String name, List<ConfigKey<?>> keys) {
    if (!name.startsWith(ConfigKey.PREFIX) || PenstockSettingsCheck.isReadInSparkOnly(name)) {
      return false;
    }
    try {
      Settings.of(Map.of(name, "")).refuseUnknown(keys);
      return false;
    } catch (ConfigException e) {
      return true;
    }
  }

  /** Returns the nearest known name if it is near enough for a slip of the pen. */
  private static String nearest(String name, List<ConfigKey<?>> keys) {
    List<String> known =
        keys.stream().map(ConfigKey::fullName).filter(n -> n.startsWith(ConfigKey.PREFIX)).toList();
    String nearest = NearestName.of(name, known);
    return NearestName.distance(name, nearest) <= NamesCheck.SLIP ? nearest : name;
  }

  private static String nameIn(String line) throws IOException {
    Map<String, String> setting = ConfText.properties(line);
    return setting.keySet().stream().findFirst().orElse("");
  }
}
