/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.upload.InlineBudget;
import java.util.List;

/**
 * The settings for small files, whose content travels to the driver in the messages of the tasks.
 *
 * @param fileMaxBytes the largest file that travels so; 0 for none
 * @param jobMaxBytes the most content in all messages of a job
 */
public record InlineConfig(long fileMaxBytes, long jobMaxBytes) {
  static final ConfigKey<Long> FILE_MAX =
      ConfigKey.size("commit.inline.file.max")
          .defaultsTo("768K")
          .mustBe("0 to 64M", n -> n >= 0 && n <= 64 << 20)
          .doc(
              "In a SQL write, the driver writes files up to this size, each by one PUT at the"
                  + " commit. All such files of a task have at most 3/4 of"
                  + " spark.task.maxDirectResultSize. 0: tasks upload all files.");

  public static final List<ConfigKey<?>> KEYS = List.of(FILE_MAX);

  /** Beside the limits of the driver's memory: a heap of 4 GiB has room for this. */
  private static final long JOB_MAX = 256 << 20;

  /**
   * Reads the settings. A commit that must always be finished forward cannot use such files: when
   * the driver dies, their content is lost.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static InlineConfig from(Settings settings) {
    boolean isForward = settings.get(CommitConfig.RECOVERY) == Direction.FORWARD;
    return new InlineConfig(isForward ? 0 : settings.get(FILE_MAX), JOB_MAX);
  }

  /**
   * Returns the budget of one task. Tasks do not know what the others send, so each gets an equal
   * share of the job's budget.
   *
   * @param tasks number of tasks that write; less than 1 counts as 1
   * @param driverMaxBytes the most content that the driver has room for
   * @param messageMaxBytes the most content that a task's message has room for
   */
  public InlineBudget ofTask(int tasks, long driverMaxBytes, long messageMaxBytes) {
    long share = Math.min(jobMaxBytes, driverMaxBytes) / Math.max(1, tasks);
    return fileMaxBytes == 0
        ? InlineBudget.none()
        : new InlineBudget(fileMaxBytes, Math.min(share, messageMaxBytes));
  }
}
