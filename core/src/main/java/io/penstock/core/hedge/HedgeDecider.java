/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.latency.Latencies;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;
import java.time.Duration;

/**
 * Decides when a request that is under way gets one more attempt: the first hedge at about the p98
 * of its kind, the next at twice and at three times that, as long as the budget lasts. Safe for
 * many threads.
 */
public final class HedgeDecider {
  /** The next thing to do about a request. */
  public enum Answer {
    /** It is not slow yet, or has all the attempts it gets. */
    WAIT,
    /** Make another attempt; its token is taken. */
    START,
    /** It is slow, but others have spent the budget; ask again. */
    DENIED
  }

  /** One of 5 million part uploads needs the third; it halves the longest of them. */
  private static final int HEDGES_MAX = 3;

  /** A p98 of fewer samples is off by more than 30 %. */
  private static final int SAMPLES = 1_000;

  /** A p90 has one or two above it then; three times that is rare. */
  private static final int FEW_SAMPLES = 16;

  private static final int TIMES_P90 = 3;

  /** Above the p95 of S3's published part uploads, 0.88 s. */
  private static final long UNKNOWN_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Content that a connection carries at least, as long as nobody knows better. Without it every
   * large part of a job's first ones would be sent twice over an ordinary link.
   */
  private static final long USUAL_BYTES_PER_SECOND = 8 << 20;

  /**
   * The factor by which to wait longer when the budget is all but spent. The demand for hedges at
   * the p98 is 2 % of the requests, give or take the estimate's error, and the budget is 2 %:
   * without this, errors and second hedges would empty it, and a straggler that comes then would
   * get none.
   */
  private static final double STRETCH_WHEN_SCARCE = 0.5;

  private final HedgeConfig config;
  private final LatencyModel model;
  private final HedgeBudget budget;

  public HedgeDecider(HedgeConfig config, LatencyModel model) {
    this.config = config;
    this.model = model;
    this.budget = new HedgeBudget(config.budget());
  }

  /** Returns how long a request of this kind runs alone; it has earned its share of a hedge. */
  public long begin(Operation operation, long bytes) {
    budget.earn();
    Latencies seen = model.of(operation, bytes);
    long nanos;
    if (seen.samples() >= SAMPLES) {
      nanos = seen.hedgeNanos();
    } else {
      nanos = Math.max(UNKNOWN_NANOS, guess(seen, bytes));
    }
    return Math.max(config.delayMin().toNanos(), nanos);
  }

  private static long guess(Latencies seen, long bytes) {
    return seen.samples() >= FEW_SAMPLES
        ? TIMES_P90 * seen.p90Nanos()
        : UNKNOWN_NANOS + (long) (1e9 * bytes / USUAL_BYTES_PER_SECOND);
  }

  /**
   * Returns what to do about a request that is under way.
   *
   * @param delayNanos what {@link #begin} said
   * @param elapsedNanos since the first attempt began
   * @param hedges that the request has had
   */
  public Answer next(long delayNanos, long elapsedNanos, int hedges) {
    if (hedges >= HEDGES_MAX || elapsedNanos < dueNanos(delayNanos, hedges)) {
      return Answer.WAIT;
    }
    return budget.take() ? Answer.START : Answer.DENIED;
  }

  /** After this time the next hedge is due, as things are now. */
  public long dueNanos(long delayNanos, int hedges) {
    double stretch = 1 + STRETCH_WHEN_SCARCE * budget.scarcity();
    return (long) (delayNanos * (hedges + 1) * stretch);
  }

  /** A hedge that was begun did not get as far as the store. */
  public void giveBack() {
    budget.giveBack();
  }
}
