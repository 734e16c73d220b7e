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
 * @param taskMaxBytes the most content in one task's message
 * @param jobMaxBytes the most content in all messages of a job
 */
public record InlineConfig(long fileMaxBytes, long taskMaxBytes, long jobMaxBytes) {
  static final ConfigKey<Long> FILE_MAX =
      ConfigKey.size("commit.inline.file.max")
          .defaultsTo("768K")
          .mustBe("0 to 64M", n -> n >= 0 && n <= 64 << 20)
          .doc(
              "Largest file of a SQL write whose content goes to the driver, which writes it with"
                  + " one PUT at the commit; 0 uploads every file from its task.");

  static final ConfigKey<Long> TASK_MAX =
      ConfigKey.size("commit.inline.task.max")
          .defaultsTo("768K")
          .mustBe("0 to 512M", n -> n >= 0 && n <= 512 << 20)
          .doc(
              "Most content that one task sends to the driver, at most three quarters of"
                  + " spark.task.maxDirectResultSize; its other files are uploads.");

  static final ConfigKey<Long> JOB_MAX =
      ConfigKey.size("commit.inline.job.max")
          .defaultsTo("256M")
          .mustBe("0 to 16G", n -> n >= 0 && n <= 16L << 30)
          .doc(
              "Most content that the tasks of a job send to the driver, at most a sixteenth of"
                  + " its heap and a quarter of spark.driver.maxResultSize; each task gets an equal"
                  + " share.");

  public static final List<ConfigKey<?>> KEYS = List.of(FILE_MAX, TASK_MAX, JOB_MAX);

  /**
   * Reads the settings. A commit that must always be finished forward cannot use such files: when
   * the driver dies, their content is lost.
   *
   * @throws io.penstock.core.config.ConfigException when a setting is not valid
   */
  public static InlineConfig from(Settings settings) {
    boolean isForward = settings.get(CommitConfig.RECOVERY) == Direction.FORWARD;
    return new InlineConfig(
        isForward ? 0 : settings.get(FILE_MAX), settings.get(TASK_MAX), settings.get(JOB_MAX));
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
        : new InlineBudget(fileMaxBytes, Math.min(share, Math.min(taskMaxBytes, messageMaxBytes)));
  }
}
