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
 * @param ended time of the decision about it, by the store's clock; empty while it is open
 * @param isAlone whether it replaced objects, or other jobs may write to its keys
 */
public record PastCommit(
    String id, Instant began, End end, Optional<Instant> ended, boolean isAlone) {
  private static final String UNDO = ".undo.";

  /** The most characters of the id of a job that another one takes back. */
  private static final int ID_MAX = 120;

  /** What becomes of a commit. */
  public enum End {
    /** All files of the job are visible. */
    DONE,
    /** The job has failed, or died, and no file of it is visible. */
    UNDONE,
    /** No decision has been made: the commit is under way, or its driver has died. */
    OPEN
  }

  /** Returns the id of the job. */
  public String job() {
    return id.substring(id.indexOf('_') + 1);
  }

  /** Returns true if this one ended later. Some stores tell the time in whole seconds. */
  boolean endedAfter(PastCommit other) {
    int order = ended.orElseThrow().compareTo(other.ended.orElseThrow());
    return order > 0 || (order == 0 && id.compareTo(other.id) > 0);
  }

  /** Returns the id of a job that takes this one back. */
  String undoId(String unique) {
    String job = job();
    return unique + UNDO + job.substring(0, Math.min(ID_MAX, job.length()));
  }

  /** Returns the id, or its beginning, of the job that this one has taken back, if it has. */
  public Optional<String> undoes() {
    int undo = job().indexOf(UNDO);
    return undo > 0 ? Optional.of(job().substring(undo + UNDO.length())) : Optional.empty();
  }
}
