/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.intent.Intent;
import io.penstock.core.store.ObjectMeta;
import java.util.List;
import java.util.Optional;

/**
 * The state of the table that a job finds at the fence.
 *
 * @param intent the job's intent that is in place
 * @param marker the {@code _SUCCESS} at the root of the table, if there is one
 * @param hasEpoch whether the table has an epoch
 * @param beside names of the intents of jobs that commit at the same time
 * @param isOver whether another process has already committed the job
 * @param listed the hidden objects at the root of the table, or all objects of the table
 * @param isWhole whether {@code listed} has all of them
 */
public record Passed(
    Intent intent,
    Optional<ObjectMeta> marker,
    boolean hasEpoch,
    List<String> beside,
    boolean isOver,
    List<ObjectMeta> listed,
    boolean isWhole) {
  /** Returns the state for a job that another process has committed. */
  static Passed committedByOthers(Intent intent) {
    return new Passed(intent, Optional.empty(), false, List.of(), true, List.of(), false);
  }

  /** Returns all objects of the table, if the job wanted them and one listing has shown them. */
  public Optional<List<ObjectMeta>> whole() {
    return isWhole ? Optional.of(listed) : Optional.empty();
  }
}
