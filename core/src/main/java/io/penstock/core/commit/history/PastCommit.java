/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import java.time.Instant;
import java.util.Optional;

/**
 * A commit of which versions of hidden objects tell.
 *
 * @param id of its intent
 * @param began time at which it began, by the driver's clock
 * @param end what became of it
 * @param ended time of the decision about it, by the store's clock; of what is known last if the
 *     decision is not known; empty while it is open
 * @param isAlone whether it replaced objects, or other jobs may write to its keys
 * @param endedByOther time at which another process has brought it to its end, by the store's
 *     clock; empty if none has
 */
public record PastCommit(
    String id,
    Instant began,
    End end,
    Optional<Instant> ended,
    boolean isAlone,
    Optional<Instant> endedByOther) {
  static final String UNDO = ".undo.";

  /** The ways in which a commit ends. */
  public enum End {
    /** All files of the job are visible. */
    DONE,
    /** The job has failed, or died, and no file of it is visible. */
    UNDONE,
    /** The commit is under way, or its driver has died. */
    OPEN,
    /** The bucket has not kept enough to tell. */
    UNKNOWN
  }

  /**
   * Returns the id of the job, with the number of its turn if it had to let others go first; see
   * {@link #isOf}.
   */
  public String job() {
    return id.substring(id.indexOf('_') + 1);
  }

  /** Returns true if this one ended later. Some stores tell the time in whole seconds. */
  boolean endedAfter(PastCommit other) {
    int order = ended.orElseThrow().compareTo(other.ended.orElseThrow());
    return order > 0 || (order == 0 && id.compareTo(other.id) > 0);
  }

  /** Returns true if this is a commit of the job with that id, in whatever turn. */
  public boolean isOf(String jobId) {
    return job().startsWith(jobId) && job().substring(jobId.length()).matches("(-[0-9]{1,3})?");
  }

  /**
   * Returns the id of a job that takes another one back.
   *
   * @param unique the beginning of the id, which no other job has
   */
  static String undoId(String unique, String jobId) {
    return unique + UNDO + ownPart(jobId);
  }

  /** Returns a job's id without that of the job that it takes back. */
  static String ownPart(String jobId) {
    int undo = jobId.indexOf(UNDO);
    return undo < 0 ? jobId : jobId.substring(0, undo);
  }

  /** Returns the own part of the id of the job that a job takes back. */
  static Optional<String> undoneBy(String jobId) {
    int undo = jobId.indexOf(UNDO);
    return undo < 0 ? Optional.empty() : Optional.of(jobId.substring(undo + UNDO.length()));
  }

  /** Returns true if this one has taken another one back. */
  public boolean isUndo() {
    return job().contains(UNDO);
  }

  /** Returns the id of the job that this one has taken back, or its beginning. */
  public Optional<String> undoes() {
    return undoneBy(job());
  }
}
