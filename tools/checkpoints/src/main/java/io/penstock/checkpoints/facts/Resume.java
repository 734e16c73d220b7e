/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import java.util.Optional;

/**
 * Predicts where Spark resumes a checkpoint: which batch runs first, and from which version of the
 * state that batch starts. The prediction uses only the newest offsets and the newest commit.
 *
 * @param batch the first batch that runs
 * @param stateVersion the version at which each state store is loaded; 0 for empty state
 */
public record Resume(Case how, long batch, long stateVersion) {
  /** The reason why Spark starts with that batch. */
  public enum Case {
    /** No batch was planned: the query is new. */
    FRESH,
    /** The newest batch was committed. */
    NEXT,
    /** The newest batch is in flight or was interrupted. It runs again. */
    AGAIN,
    /** More than one batch has no commit; Spark runs only the newest of them again. */
    LAGGING,
    /** The newest commit belongs to a batch without offsets. */
    AHEAD
  }

  static Resume of(Optional<Long> planned, Optional<Long> committed) {
    if (planned.isEmpty()) {
      return new Resume(committed.isEmpty() ? Case.FRESH : Case.AHEAD, 0, 0);
    }
    long newest = planned.get();
    long done = committed.orElse(-1L);
    if (done == newest) {
      return new Resume(Case.NEXT, newest + 1, newest + 1);
    }
    Case how = Case.AGAIN;
    if (done != newest - 1) {
      how = done > newest ? Case.AHEAD : Case.LAGGING;
    }
    return new Resume(how, newest, newest);
  }
}
