/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.draw;

import io.penstock.loggen.chance.LatencyLaw;
import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Permutation;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.Plan;
import java.util.SplittableRandom;

/** Draws the latencies of requests that are not throttled. */
public final class Slowness {
  private final LatencyLaw law;
  private final Permutation strata;

  /** The strata that change places so that the seed's case has the two latencies that it needs. */
  private final long slow;

  private final long slowFor;
  private final long fast;
  private final long fastFor;

  /** Creates the latencies of a plan. */
  public Slowness(Plan plan) {
    long parts = Math.max(4, plan.counts().succeeded(Call.PART));
    this.law = new LatencyLaw(plan.isTail() ? parts : LatencyLaw.MEASURED);
    this.strata = new Permutation(parts, Mix.of(plan.options().seed(), Purpose.STRATA, 0));
    long seedPart = Math.min(parts - 2, plan.succeededBefore(Call.PART, plan.seedFile()));
    this.slow = plan.isTail() ? law.slowestBelowHalfAMinute() : 0;
    this.slowFor = strata.at(seedPart);
    this.fast = parts / 2;
    this.fastFor = swapped(strata.at(seedPart + 1), slow, slowFor);
  }

  /** Returns a random latency. */
  int ordinary(SplittableRandom random) {
    return law.millis(random.nextLong(law.strata()), random.nextDouble());
  }

  /**
   * Returns the latency of one part upload. Over all part uploads, each stratum of the law is drawn
   * once.
   */
  int ofPart(long index, double place) {
    long stratum = swapped(swapped(strata.at(index), slow, slowFor), fast, fastFor);
    return law.millis(stratum, place);
  }

  private static long swapped(long value, long one, long other) {
    return value == one ? other : value == other ? one : value;
  }
}
