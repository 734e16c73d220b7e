/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts hedges, and the attempts that were cut because they were slow. Safe for many threads. */
public final class HedgeMetrics {
  private final LongAdder won = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder denied = new LongAdder();
  private final LongAdder deadlineCuts = new LongAdder();
  private final LongAdder stallCuts = new LongAdder();

  /**
   * The counts up to a moment. Hedges that never reached the store are not counted.
   *
   * @param started second, third and fourth attempts beside a slow one, ended by now
   * @param won hedges whose answer was used
   * @param lost hedges that another attempt, or a failure, made useless
   * @param denied requests that were slow enough for a hedge when no budget was left
   * @param deadlineCuts attempts that were cut at their deadline
   * @param stallCuts attempts that were cut because their content made no progress
   */
  public record Count(
      long started, long won, long lost, long denied, long deadlineCuts, long stallCuts) {
    Count plus(Count other, int times) {
      return new Count(
          started + times * other.started,
          won + times * other.won,
          lost + times * other.lost,
          denied + times * other.denied,
          deadlineCuts + times * other.deadlineCuts,
          stallCuts + times * other.stallCuts);
    }
  }

  public void won() {
    won.increment();
  }

  public void lost() {
    lost.increment();
  }

  public void denied() {
    denied.increment();
  }

  public void cutAtDeadline() {
    deadlineCuts.increment();
  }

  public void cutStalled() {
    stallCuts.increment();
  }

  public Count count() {
    long winners = won.sum();
    long losers = lost.sum();
    return new Count(
        winners + losers, winners, losers, denied.sum(), deadlineCuts.sum(), stallCuts.sum());
  }
}
