/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.util.Optional;

/**
 * Foretells what Spark does when it starts on a checkpoint: which batch it runs first, and which
 * version of the state that batch starts from. It looks at the newest offsets and the newest commit
 * only.
 *
 * @param batch the first batch
 * @param stateVersion what each state store is loaded at; 0 is empty
 */
public record Resume(Case how, long batch, long stateVersion) {
  /** The way in which it comes to that batch. */
  public enum Case {
    /** Nothing was planned: a new query. */
    FRESH,
    /** The newest batch was committed. */
    NEXT,
    /** The newest batch is in flight, or was interrupted: it runs again. */
    AGAIN,
    /** More than one batch has no commit; Spark runs only the newest of them again. */
    LAGGING,
    /** The newest commit is of a batch without offsets. */
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
