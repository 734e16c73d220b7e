/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The work of an application for which a request is made. It stands in the store's own log, in the
 * request log and in the counts by stage.
 *
 * @param application id of the application; empty if unknown
 * @param query number of the SQL query in the application
 * @param task the task that makes the request; empty on the driver
 */
public record Origin(String application, OptionalLong query, Optional<Task> task) {
  /** The origin of a request that nothing is known about. */
  public static final Origin NONE = new Origin("", OptionalLong.empty(), Optional.empty());

  /**
   * A task of a stage.
   *
   * @param stageAttempt 0 for the first attempt of the stage
   * @param partition index of the task in its stage
   * @param id number of the task attempt, which no other attempt in the application has
   */
  public record Task(int stage, int stageAttempt, int partition, long id) {}

  /** Returns the number of the stage; empty on the driver. */
  public OptionalInt stage() {
    return task.isPresent() ? OptionalInt.of(task.get().stage()) : OptionalInt.empty();
  }
}
