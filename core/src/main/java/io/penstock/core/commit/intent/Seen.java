/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import java.time.Instant;

/**
 * The part of an intent that a listing shows.
 *
 * @param hasPassed whether the job has passed the fence; before that, none of its files is visible
 * @param isDecided whether the files of the job are all visible, or none, by the decision about its
 *     commit; a commit that is being undone is not decided in this sense
 * @param isEnded whether the commit has come to its end, and only the objects of its intent could
 *     not be deleted
 * @param touched time at which the newest of the intent's objects was written, by the store's clock
 * @param renewed like {@code touched}, but without the decision: another process may have written
 *     that
 */
public record Seen(
    String id,
    boolean isAlone,
    boolean hasPassed,
    boolean isDecided,
    boolean isEnded,
    Instant touched,
    Instant renewed) {
  /**
   * Returns a copy whose {@code renewed} is the given time. The caller read that time earlier: if
   * the lease has been renewed since, the job is alive.
   */
  public Seen knownSince(Instant watched) {
    return new Seen(id, isAlone, hasPassed, isDecided, isEnded, touched, watched);
  }
}
