/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.Operation;
import java.util.Locale;

/** Cuts one attempt when its time is over, or when its content stands still. */
final class Guard implements Watched {
  private final Attempt attempt;
  private final boolean sends;
  private final long startNanos;
  private final long deadlineNanos;
  private final long stallNanos;
  private final HedgeMetrics metrics;
  private long movedBytes;
  private long movedAtNanos;
  private volatile String why;
  private volatile boolean atDeadline;

  /**
   * @param sentBytes of content that goes to the store
   */
  Guard(
      Attempt attempt,
      long sentBytes,
      long startNanos,
      long deadlineNanos,
      long stallNanos,
      HedgeMetrics metrics) {
    this.attempt = attempt;
    this.sends = sentBytes > 0;
    this.startNanos = startNanos;
    this.deadlineNanos = deadlineNanos;
    this.stallNanos = stallNanos;
    this.metrics = metrics;
    this.movedAtNanos = startNanos;
  }

  static boolean isBounded(Operation operation) {
    return switch (operation) {
      // The store works in proportion to the object, of which the request tells nothing.
      case COPY, COPY_PART -> false;
      case GET,
          HEAD,
          PUT,
          DELETE,
          DELETE_ALL,
          LIST,
          CREATE_UPLOAD,
          UPLOAD_PART,
          COMPLETE_UPLOAD,
          ABORT_UPLOAD,
          LIST_UPLOADS ->
          true;
    };
  }

  @Override
  public void look(long nowNanos) {
    if (why != null) {
      return;
    }
    if (nowNanos - startNanos > deadlineNanos) {
      atDeadline = true;
      metrics.cutAtDeadline();
      cut("no answer within its deadline of " + seconds(deadlineNanos));
      return;
    }
    long moved = attempt.movedBytes();
    if (moved != movedBytes) {
      movedBytes = moved;
      movedAtNanos = nowNanos;
    } else if (isMoving() && nowNanos - movedAtNanos > stallNanos) {
      metrics.cutStalled();
      cut("no byte moved for " + seconds(stallNanos));
    }
  }

  /** Before its first byte, and while the answer to an upload is awaited, nothing has to move. */
  private boolean isMoving() {
    return movedBytes > 0 && !(sends && attempt.isSent());
  }

  long startNanos() {
    return startNanos;
  }

  long ageNanos(long nowNanos) {
    return nowNanos - startNanos;
  }

  private void cut(String clause) {
    why = clause;
    attempt.cut(clause);
  }

  /** Why this guard, and nobody before it, has cut the attempt; null when it has not. */
  String why() {
    String clause = why;
    return clause != null && attempt.cutBecause().filter(clause::equals).isPresent()
        ? clause
        : null;
  }

  boolean isCutAtDeadline() {
    return atDeadline && why() != null;
  }

  private static String seconds(long nanos) {
    double seconds = nanos / 1e9;
    return seconds >= 10 || seconds == Math.rint(seconds)
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
