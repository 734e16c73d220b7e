/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.retry.RetryConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings for jobs that commit to the same table.
 *
 * @param waitMax the longest wait for other jobs' commits
 * @param recovery the way to end the commit of a job that died
 * @param storeWaitMax the longest time for which a commit's requests are tried again
 */
public record CommitConfig(Duration waitMax, Direction recovery, Duration storeWaitMax) {
  public static final ConfigKey<Duration> WAIT_MAX =
      ConfigKey.duration("commit.wait.max")
          .defaultsTo("10m")
          .doc(
              "How long the commit of a job waits at most while other jobs commit to the same"
                  + " table.");

  public static final ConfigKey<Direction> RECOVERY =
      ConfigKey.choice("commit.recovery", Direction.class)
          .defaultsTo("auto")
          .doc(
              "What the next job does with a commit whose driver died: forward finishes it, back"
                  + " undoes it, auto finishes an overwrite and undoes an append.");

  public static final ConfigKey<SuccessMarker> MARKER =
      ConfigKey.choice("commit.marker", SuccessMarker.class)
          .defaultsTo("json")
          .doc(
              "What a job writes to _SUCCESS: json (which job, and how much it wrote), empty (as"
                  + " Hadoop does), none (no file)."
                  + " mapreduce.fileoutputcommitter.marksuccessfuljobs=false also means none.");

  public static final ConfigKey<Optional<String>> ID =
      ConfigKey.text("commit.id")
          .doc(
              "A name under which a write to one output happens once: if it has happened, a later"
                  + " write with the same name ends with success and writes nothing. An option of a"
                  + " write, or a setting.");

  public static final List<ConfigKey<?>> KEYS = List.of(WAIT_MAX, RECOVERY, MARKER, ID);

  /** The direction in which the commit of a dead job is ended. */
  public enum Direction {
    /**
     * Finishes an overwrite and undoes an append. In both cases, a new run of the job gives the
     * same result.
     */
    AUTO,
    FORWARD,
    BACK
  }

  /**
   * Reads the settings.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static CommitConfig from(Settings settings) {
    return new CommitConfig(
        settings.get(WAIT_MAX),
        settings.get(RECOVERY),
        RetryConfig.ofCommits(settings).durationMax());
  }
}
