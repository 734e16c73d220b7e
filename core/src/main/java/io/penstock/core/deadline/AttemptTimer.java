/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Request;
import io.penstock.core.store.Operation;
import java.util.Locale;

/** Cuts one attempt at its deadline, or when its content stops moving. */
final class AttemptTimer implements Watched {
  /**
   * The interval at which the deadline is computed. No deadline is shorter, so most attempts end
   * before the first computation.
   */
  private static final long REVIEW_NANOS = 250_000_000;

  private final Request<?> request;
  private final Attempt attempt;
  private final long startNanos;
  private final DeadlineDecider decider;
  private final long stallNanos;
  private final HedgeMetrics metrics;
  private long deadlineNanos = DeadlineDecider.NEVER;
  private long reviewNanos;
  private long movedBytes;
  private long movedAtNanos;
  private volatile String why;
  private volatile boolean atDeadline;

  /**
   * @param decider tells how long the attempt may take by what is known now; asked again and again,
   *     since the first of many concurrent attempts starts when nothing is known yet
   */
  AttemptTimer(
      Request<?> request,
      Attempt attempt,
      long startNanos,
      DeadlineDecider decider,
      HedgeMetrics metrics) {
    this.request = request;
    this.attempt = attempt;
    this.startNanos = startNanos;
    this.decider = decider;
    this.reviewNanos = startNanos + REVIEW_NANOS;
    this.stallNanos = decider.stallNanos();
    this.metrics = metrics;
    this.movedAtNanos = startNanos;
  }

  @Override
  public void look(long nowNanos) {
    if (why != null) {
      return;
    }
    if (nowNanos >= reviewNanos) {
      deadlineNanos =
          request.hasDeadline()
              ? decider.deadlineNanos(request.operation(), request.weightBytes())
              : DeadlineDecider.NEVER;
      reviewNanos = nowNanos + REVIEW_NANOS;
    }
    if (nowNanos - startNanos > deadlineNanos) {
      atDeadline = true;
      metrics.cutAtDeadline();
      cut("no answer arrived within the deadline of " + seconds(deadlineNanos));
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
    return movedBytes > 0 && (request.operation() == Operation.GET || !attempt.isSent());
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
