/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The durations of requests: counts and sums in fine steps, with edges at the limits of what-ifs.
 */
public final class Latencies {
  /**
   * The edges of steps, beside those an eighth of a doubling apart: all timeouts that a what-if or
   * a rule may ask for, and a minute. The table {@code s3_durations} has the same.
   */
  public static final List<Integer> LIMITS = List.of(1, 2, 4, 5, 10, 15, 30, 60);

  private record Step(int overSeconds, long requests, double seconds) {
    double mean() {
      return seconds / requests;
    }
  }

  private final List<Step> steps;
  private final long requests;
  private final double seconds;

  private Latencies(List<Step> steps) {
    this.steps = steps;
    this.requests = steps.stream().mapToLong(Step::requests).sum();
    this.seconds = steps.stream().mapToDouble(Step::seconds).sum();
  }

  /** Adds up the rows of the query {@code latencies} whose api and size class are wanted. */
  public static Latencies of(Table table, Predicate<String> api, Predicate<String> sizeClass) {
    List<Step> steps = new ArrayList<>();
    for (int row = 0; row < table.rows().size(); row++) {
      long count = table.count(row, "requests");
      if (count > 0
          && api.test(table.text(row, "api"))
          && sizeClass.test(table.text(row, "size_class"))) {
        steps.add(new Step((int) table.count(row, "over_s"), count, table.number(row, "total_s")));
      }
    }
    steps.sort(java.util.Comparator.comparingDouble(Step::mean));
    return new Latencies(steps);
  }

  public long requests() {
    return requests;
  }

  public double meanSeconds() {
    return requests == 0 ? 0 : seconds / requests;
  }

  /** Requests that took longer than one of {@link #LIMITS}. */
  public long over(int limitSeconds) {
    return steps.stream()
        .filter(step -> step.overSeconds() >= limitSeconds)
        .mapToLong(Step::requests)
        .sum();
  }

  /** The seconds of those requests, all of them, not only what lies beyond the limit. */
  public double secondsOver(int limitSeconds) {
    return steps.stream()
        .filter(step -> step.overSeconds() >= limitSeconds)
        .mapToDouble(Step::seconds)
        .sum();
  }

  /** Seconds, exact to the width of a step. */
  public double quantile(double share) {
    double rank = share * requests;
    long below = 0;
    for (Step step : steps) {
      below += step.requests();
      if (below >= rank) {
        return step.mean();
      }
    }
    return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).mean();
  }

  /**
   * Seconds saved by giving up at a limit and asking again: each slow request takes the limit and a
   * mean request instead. Those that would have ended soon after the limit lose by it.
   */
  public double savedByAbort(int limitSeconds) {
    return secondsOver(limitSeconds) - over(limitSeconds) * (limitSeconds + meanSeconds());
  }

  /** Seconds saved by asking a second time beside it and taking the first answer. */
  public double savedByRace(int limitSeconds) {
    double saved = 0;
    for (Step slow : steps) {
      if (slow.overSeconds() >= limitSeconds) {
        double left = slow.mean() - limitSeconds;
        double won = 0;
        for (Step fresh : steps) {
          won += Math.max(0, left - fresh.mean()) * fresh.requests();
        }
        saved += slow.requests() * won / requests;
      }
    }
    return saved;
  }

  /** Latencies one may draw from: {@code sample(n)[i]} is that of the i-th of n equal parts. */
  float[] sample(int size) {
    float[] sample = new float[size];
    int at = 0;
    long below = steps.isEmpty() ? 0 : steps.get(0).requests();
    for (int i = 0; i < size; i++) {
      double rank = (i + 0.5) / size * requests;
      while (at < steps.size() - 1 && below < rank) {
        below += steps.get(++at).requests();
      }
      sample[i] = steps.isEmpty() ? 0 : (float) steps.get(at).mean();
    }
    return sample;
  }
}
