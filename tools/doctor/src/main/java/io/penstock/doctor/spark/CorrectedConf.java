/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.SparkJudge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
   * Corrects the text of a file, as for a job with the plugin.
   *
   * @param job the job with all of its settings
   * @param penstock what Penstock says of settings
   * @throws IOException when the text is not a properties file
   */
  public static CorrectedConf of(String text, Job job, PenstockView penstock) throws IOException {
    CorrectedConf names = withRightNames(text, job, penstock);
    // A setting that has got its prefix counts now, so it is judged, too.
    Given given = job.given().and(Given.ofSpark(ConfText.properties(names.text)));
    Map<String, String> reasons = reasons(new Job(given, job.home()).withPlugin(), penstock);
    List<String> lines = new ArrayList<>();
    int changes = names.changes;
    for (ConfLine line : ConfLine.split(names.text)) {
      String reason = reasons.get(line.name());
      if (reason == null) {
        lines.addAll(line.lines());
      } else {
        lines.add("# " + reason);
        lines.addAll(line.commentedOut());
        changes++;
      }
    }
    return new CorrectedConf(String.join("\n", lines), changes);
  }

  /**
   * Gives each setting its prefix and its spelling. A line whose right name is set already becomes
   * a comment: Spark has ignored it, and it would take the other's place.
   */
  private static CorrectedConf withRightNames(String text, Job job, PenstockView penstock)
      throws IOException {
    Set<String> set = ConfText.properties(text).keySet();
    List<String> lines = new ArrayList<>();
    int changes = 0;
    for (ConfLine line : ConfLine.split(text)) {
      String name = line.name();
      String right = rightName(name, job, penstock);
      if (right.equals(name)) {
        lines.addAll(line.lines());
        continue;
      }
      changes++;
      if (set.contains(right)) {
        lines.add("# This line has no effect, and " + right + " is set.");
        lines.addAll(line.commentedOut());
      } else {
        lines.addAll(line.renamed(right));
      }
    }
    return new CorrectedConf(String.join("\n", lines), changes);
  }

  /** Returns why a line is taken away, by the name of its setting in the file. */
  private static Map<String, String> reasons(Job job, PenstockView penstock) {
    Map<String, String> reasons = new HashMap<>();
    try {
      penstock
          .withoutEffect()
          .apply(Settings.of(job.given().values()))
          .forEach(name -> reasons.put(OF_SPARK + name, "Penstock does not read this setting."));
    } catch (ConfigException e) {
      // A value is wrong; its author must correct it.
    }
    for (SparkJudge.Finding finding : job.findings()) {
      if (finding.name().startsWith("fs.")) {
        // It may guard what jobs read: its owner decides.
        continue;
      }
      String reason = "This setting %s.".formatted(finding.problem());
      reasons.put(finding.name(), reason);
      reasons.put(OF_SPARK + finding.name(), reason);
    }
    return reasons;
  }

  /** Returns the name that the author of the file must have meant. */
  private static String rightName(String name, Job job, PenstockView penstock) {
    String bare = name;
    if (name.startsWith(OF_SPARK)) {
      bare = name.substring(OF_SPARK.length());
    } else if (name.startsWith("spark." + ConfigKey.PREFIX) || name.startsWith("spark.fs.s3")) {
      bare = name.substring("spark.".length());
    } else if (!Given.ofSpark(Map.of(name, "")).lost().contains(name)) {
      return name;
    }
    return OF_SPARK + (mayBeRenamed(bare, job) ? penstock.meant(bare).orElse(bare) : bare);
  }

  /** Returns true for a name that nobody can have set on purpose. */
  private static boolean mayBeRenamed(String name, Job job) {
    return name.startsWith(ConfigKey.PREFIX)
        || (name.startsWith(S3aNames.PREFIX)
            && S3aNames.stateOf(name, job.hadoop()) == S3aNames.State.UNKNOWN);
  }
}
