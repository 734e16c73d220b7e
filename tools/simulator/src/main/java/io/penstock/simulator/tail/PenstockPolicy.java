/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.deadline.DeadlineDecider;
import io.penstock.core.hedge.HedgeConfig;
import io.penstock.core.hedge.HedgeDecider;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;

/**
 * Runs the production deciders in the same way as DeadlineStore, HedgingStore and the retries, but
 * without threads. It starts without statistics.
 */
final class PenstockPolicy implements Policy {
  private static final Operation OPERATION = Operation.UPLOAD_PART;
  private static final long BYTES = 5_452_595; // 5.2 MiB, as the files of the published job

  /** The interval at which the watchdog checks requests. Hedges start only at these times. */
  private static final long LOOK_NANOS = 10_000_000;

  /** The mean delay of a retry after the first failure. */
  private static final long RETRY_NANOS = 50_000_000;

  private static final int ATTEMPTS_MAX = 8;

  private final LatencyModel model;
  private final HedgeDecider hedges;
  private final DeadlineDecider deadlines;
  private final long[] startNanos = new long[ATTEMPTS_MAX];
  private final long[] tookNanos = new long[ATTEMPTS_MAX];
  private long requests;
  private long attempts;

  PenstockPolicy(HedgeConfig hedge, DeadlineConfig deadline) {
    this.model = new LatencyModel(hedge.quantile());
    this.hedges = new HedgeDecider(hedge, model);
    this.deadlines = new DeadlineDecider(deadline, model);
  }

  @Override
  public String name() {
    return "penstock";
  }

  @Override
  public long serve(Draws draws, long nowNanos) {
    requests++;
    int drawn = 0;
    long waited = 0;
    while (true) {
      int used = race(draws, drawn);
      drawn += used;
      attempts += used;
      long end = learn(used, nowNanos + waited);
      if (end >= 0) {
        return waited + end;
      }
      waited += -end + RETRY_NANOS;
    }
  }

  /** Runs the attempts of one race and returns their number. */
  private int race(Draws draws, int drawn) {
    long delay = hedges.begin(OPERATION, BYTES);
    long deadline = deadlines.deadlineNanos(OPERATION, BYTES);
    long answered = Long.MAX_VALUE;
    long allCut = 0;
    int used = 0;
    long due = 0;
    do {
      startNanos[used] = due;
      long took = draws.nanos(drawn + used);
      if (took <= deadline) {
        tookNanos[used] = took;
        answered = Math.min(answered, due + took);
      } else {
        tookNanos[used] = -deadline;
        allCut = Math.max(allCut, due + deadline);
      }
      used++;
      due = nextHedge(delay, used - 1, Math.min(answered, underWayUntil(answered, allCut)));
    } while (due >= 0);
    return used;
  }

  private static long underWayUntil(long answered, long allCut) {
    return answered == Long.MAX_VALUE ? allCut : answered;
  }

  /** Returns the start of the next hedge; -1 when no hedge starts before the race is over. */
  private long nextHedge(long delay, int had, long overNanos) {
    long due = hedges.dueNanos(delay, had);
    long looked = (due + LOOK_NANOS - 1) / LOOK_NANOS * LOOK_NANOS;
    if (looked >= overNanos) {
      return -1;
    }
    return hedges.next(delay, looked, had) == HedgeDecider.Answer.START ? looked : -1;
  }

  /**
   * Records the results in the model as the stores do. Returns the end of the race; negative when
   * all attempts were cut at their deadline.
   */
  private long learn(int used, long raceStartNanos) {
    long answered = Long.MAX_VALUE;
    long allCut = 0;
    for (int i = 0; i < used; i++) {
      if (tookNanos[i] >= 0) {
        answered = Math.min(answered, startNanos[i] + tookNanos[i]);
      } else {
        allCut = Math.max(allCut, startNanos[i] - tookNanos[i]);
      }
    }
    for (int i = 0; i < used; i++) {
      long own = startNanos[i] + Math.abs(tookNanos[i]);
      long until = Math.min(own, answered);
      long now = raceStartNanos + until;
      if (own > until || tookNanos[i] < 0) {
        model.tookAtLeast(OPERATION, BYTES, until - startNanos[i], now);
        if (own <= until) {
          deadlines.cut(OPERATION, BYTES, raceStartNanos + startNanos[i], now);
        }
      } else {
        model.took(OPERATION, BYTES, tookNanos[i], now);
        deadlines.answered(OPERATION, BYTES);
      }
    }
    return answered == Long.MAX_VALUE ? -allCut : answered;
  }

  @Override
  public long extraAttempts() {
    return attempts - requests;
  }
}
