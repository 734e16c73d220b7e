/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.latency.Latencies;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;
import java.time.Duration;

/**
 * Decides when a running request gets one more attempt. The first hedge starts at about the p98 of
 * its kind of request, the next ones at twice and at three times that delay, as long as the budget
 * lasts. Safe for many threads.
 */
public final class HedgeDecider {
  /** The next thing to do about a request. */
  public enum Answer {
    /** Start nothing: the request is not slow yet, or already has the most attempts. */
    WAIT,
    /** Start another attempt; its token has been taken from the budget. */
    START,
    /**
     * Start nothing: the request is slow, but other requests have used up the budget. Ask again
     * later.
     */
    DENIED
  }

  /**
   * One of 5 million part uploads needs the third hedge; it halves the time of the slowest ones.
   */
  private static final int HEDGES_MAX = 3;

  /** With fewer samples, the latency estimated as the p98 can be wrong by more than 30 %. */
  private static final int SAMPLES = 1_000;

  /**
   * With this many samples, one or two are above the p90; few requests take three times the p90.
   */
  private static final int FEW_SAMPLES = 16;

  private static final int TIMES_P90 = 3;

  /**
   * The delay while there are few samples. It is above the p95 of S3's published part uploads, 0.88
   * s.
   */
  private static final long UNKNOWN_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * The least delay of a GET while there are few samples. Reads are cheap to repeat, and a job of a
   * second would wait as long again for one straggler. A garbage collection takes less.
   */
  private static final long FEW_READS_NANOS = Duration.ofMillis(300).toNanos();

  /**
   * The lowest throughput that is assumed for a connection until there are measurements. Without
   * this assumption, almost every large part that a job sends first would be sent twice over an
   * ordinary link.
   */
  private static final long USUAL_BYTES_PER_SECOND = 8 << 20;

  /**
   * The part of the delay that is added when almost no budget is left. Hedges at the p98 need 2 %
   * of the requests, more or less because the p98 is estimated, and the budget is 2 %. Without this
   * delay, estimation errors and second hedges would use up the budget, and a very slow request
   * that comes then would get no hedge.
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

  /**
   * Returns how many nanoseconds a request of this kind runs before its first hedge. Each call adds
   * the request's share of a token to the budget.
   */
  public long begin(Operation operation, long bytes) {
    budget.earn();
    Latencies seen = model.of(operation, bytes);
    long nanos = seen.samples() >= SAMPLES ? seen.hedgeNanos() : guessNanos(operation, seen, bytes);
    return Math.max(config.delayMin().toNanos(), nanos);
  }

  private static long guessNanos(Operation operation, Latencies seen, long bytes) {
    if (seen.samples() < FEW_SAMPLES) {
      return UNKNOWN_NANOS + (long) (1e9 * bytes / USUAL_BYTES_PER_SECOND);
    }
    long least = operation == Operation.GET ? FEW_READS_NANOS : UNKNOWN_NANOS;
    return Math.max(least, TIMES_P90 * seen.p90Nanos());
  }

  /**
   * Returns what to do about a request that is under way.
   *
   * @param delayNanos the result of {@link #begin}
   * @param elapsedNanos since the first attempt began
   * @param hedges that the request has had
   */
  public Answer next(long delayNanos, long elapsedNanos, int hedges) {
    if (hedges >= HEDGES_MAX || elapsedNanos < dueNanos(delayNanos, hedges)) {
      return Answer.WAIT;
    }
    return budget.take() ? Answer.START : Answer.DENIED;
  }

  /**
   * Returns how many nanoseconds after the start of the first attempt the next hedge is due. This
   * is up to one and a half times as long when few tokens are left in the budget.
   */
  public long dueNanos(long delayNanos, int hedges) {
    double stretch = 1 + STRETCH_WHEN_SCARCE * budget.scarcity();
    return (long) (delayNanos * (hedges + 1) * stretch);
  }

  /** Gives back the token of a hedge that was started but never reached the store. */
  public void giveBack() {
    budget.giveBack();
  }
}
