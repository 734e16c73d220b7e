/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import java.util.Optional;
import java.util.stream.Stream;

/** The possible decisions about a commit. */
public enum Decision {
  FORWARD,
  BACK,
  /** The job has taken this intent back to let others commit, and continues with another intent. */
  WITHDRAWN,
  /**
   * The commit has gone forward to its end. Another process writes this, for the job to find when
   * it wakes up; so does a job that may not delete its intent.
   */
  ENDED_FORWARD,
  /** The commit has been undone, by a job that may not delete its intent. */
  ENDED_BACK;

  /**
   * Returns true if the decision whose object has this size says that the files of the job are all
   * visible, or none.
   */
  static boolean isVisible(long sizeBytes) {
    return ofSize(sizeBytes).filter(one -> one == FORWARD || one.isEnd()).isPresent();
  }

  /** Returns true if the decision whose object has this size says that the commit has ended. */
  static boolean isEnd(long sizeBytes) {
    return ofSize(sizeBytes).filter(Decision::isEnd).isPresent();
  }

  /** Returns the decision whose object has this size; empty if none has. */
  public static Optional<Decision> ofSize(long sizeBytes) {
    return Stream.of(values()).filter(one -> one.name().length() == sizeBytes).findFirst();
  }

  /** Returns true if this says that the commit has ended. */
  public boolean isEnd() {
    return this == ENDED_FORWARD || this == ENDED_BACK;
  }

  /** Returns true if the files of the job stay. */
  public boolean isForward() {
    return this == FORWARD || this == ENDED_FORWARD;
  }
}
