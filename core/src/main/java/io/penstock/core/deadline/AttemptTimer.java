/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.Operation;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Cuts one attempt at its deadline, or when its content stops moving. */
final class AttemptTimer implements Watched {
  /**
   * The interval at which the deadline is computed. No deadline is shorter, so most attempts end
   * before the first computation.
   */
  private static final long REVIEW_NANOS = 250_000_000;

  private final Attempt attempt;
  private final boolean receives;
  private final long startNanos;
  private final LongSupplier deadline;
  private final long stallNanos;
  private final HedgeMetrics metrics;
  private long deadlineNanos = DeadlineDecider.NEVER;
  private long reviewNanos;
  private long movedBytes;
  private long movedAtNanos;
  private volatile String why;
  private volatile boolean atDeadline;

  /**
   * @param receives whether the attempt receives content, so that the answer has to keep moving
   * @param deadline returns how long the attempt may take by what is known now, in nanoseconds;
   *     asked again and again, since the first of many concurrent attempts starts when nothing is
   *     known yet
   */
  AttemptTimer(
      Attempt attempt,
      boolean receives,
      long startNanos,
      LongSupplier deadline,
      long stallNanos,
      HedgeMetrics metrics) {
    this.attempt = attempt;
    this.receives = receives;
    this.startNanos = startNanos;
    this.deadline = deadline;
    this.reviewNanos = startNanos + REVIEW_NANOS;
    this.stallNanos = stallNanos;
    this.metrics = metrics;
    this.movedAtNanos = startNanos;
  }

  static boolean isBounded(Operation operation) {
    return switch (operation) {
      // The store's work grows with the size of the object, which the request does not show.
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
          LIST_UPLOADS,
          LIST_PARTS ->
          true;
    };
  }

  @Override
  public void look(long nowNanos) {
    if (why != null) {
      return;
    }
    if (nowNanos >= reviewNanos) {
      deadlineNanos = deadline.getAsLong();
      reviewNanos = nowNanos + REVIEW_NANOS;
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

  /**
   * Returns true if content has to move now. It does not have to before the first byte, nor while
   * the answer to a sent request is awaited: a store may join the parts of an upload for longer.
   */
  private boolean isMoving() {
    return movedBytes > 0 && (receives || !attempt.isSent());
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

  /** Returns the reason if this timer was the first to cut the attempt; null otherwise. */
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
