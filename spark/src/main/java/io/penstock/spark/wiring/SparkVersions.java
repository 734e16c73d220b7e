/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import io.penstock.core.config.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Spark versions that Penstock supports. */
final class SparkVersions {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int OLDEST_MAJOR = 3;
  private static final int OLDEST_MINOR = 5;

  /** The name of Spark's trait since 4.1. */
  private static final String NEWER_TRAIT =
      "org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager";

  private SparkVersions() {}

  /** Returns the checkpoint manager that the Spark on this class path can load. */
  static String checkpointManager() {
    try {
      Class.forName(NEWER_TRAIT, false, SparkVersions.class.getClassLoader());
      return "io.penstock.spark.checkpoint.PenstockCheckpointFileManager";
    } catch (ClassNotFoundException e) {
      return "io.penstock.spark35.PenstockCheckpointFileManager";
    }
  }

  /**
   * Accepts Spark 3.5 and later.
   *
   * @throws ConfigException for an older version
   */
  static void require(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return;
    }
    int major = Integer.parseInt(matcher.group(1));
    int minor = Integer.parseInt(matcher.group(2));
    if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
      throw new ConfigException(
          "Penstock needs Spark 3.5 or later, but this is Spark %s. Remove io.penstock.spark.PenstockPlugin from spark.plugins, or upgrade Spark."
              .formatted(version));
    }
  }

  /** Returns true if the version is of this major one or a later one, or of an unknown form. */
  static boolean isFrom(int major, String version) {
    Matcher matcher = VERSION.matcher(version);
    return !matcher.matches() || Integer.parseInt(matcher.group(1)) >= major;
  }
}
