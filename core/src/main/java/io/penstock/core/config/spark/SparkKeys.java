/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config.spark;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.KeySource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of the Spark plugin. They stand here because tools judge a job by them. */
public final class SparkKeys implements KeySource {
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.bool("spark.enabled")
          .defaultsTo("true")
          .doc(
              "Whether the plugin does anything; false leaves the application as it would be"
                  + " without spark.plugins. What other settings name, such as fs.s3.impl, stays.");

  public static final ConfigKey<Boolean> FILESYSTEM =
      ConfigKey.bool("filesystem")
          .defaultsTo("true")
          .doc(
              "Whether s3:// and s3a:// are Penstock's; false leaves file systems, committers and"
                  + " checkpoints as configured and puts the engine under S3A's client.");

  public static final ConfigKey<Boolean> COMMIT =
      ConfigKey.bool("spark.commit.enabled")
          .defaultsTo("true")
          .doc(
              "Whether the plugin sets Penstock's committers; false keeps the configured ones, most"
                  + " of which rename files.");

  public static final ConfigKey<Boolean> CHECKPOINT =
      ConfigKey.bool("spark.checkpoint.enabled")
          .defaultsTo("true")
          .doc(
              "Whether the plugin sets Penstock's checkpoint manager for Structured Streaming;"
                  + " false keeps the configured one, or else Spark's own, which renames files.");

  public static final ConfigKey<Boolean> BATCHES_ONCE =
      ConfigKey.bool("spark.batches.once")
          .defaultsTo("false")
          .doc(
              "Whether a write of foreachBatch whose commit has happened makes nothing visible when"
                  + " Spark runs its batch again.");

  public static final ConfigKey<Duration> MOUNT_WAIT =
      ConfigKey.duration("checkpoint.mount.wait")
          .defaultsTo("20s")
          .doc(
              "How long a starting query waits until executors confirm that they see its"
                  + " checkpoint on a mounted filesystem and can write there; 0s skips this"
                  + " check.");

  public static final ConfigKey<Optional<String>> LOGS =
      ConfigKey.text("logs.dir")
          .doc(
              "Directory, such as s3://BUCKET/logs, that keeps the logs of drivers and executors"
                  + " when their machines are gone; at most penstock.flush.interval is lost."
                  + " Empty: none.");

  /** Settings that choose S3A's committers. The plugin's own committers replace them. */
  private static final List<String> ANSWERED =
      List.of("fs.s3a.committer.name", "fs.s3a.committer.magic.enabled");

  @Override
  public List<ConfigKey<?>> keys() {
    return List.of(ENABLED, FILESYSTEM, COMMIT, CHECKPOINT, BATCHES_ONCE, MOUNT_WAIT, LOGS);
  }

  @Override
  public List<String> foreignNames() {
    return ANSWERED;
  }
}
