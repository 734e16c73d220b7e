/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A histogram of request durations: the count and the sum of each step. The steps are fine and have
 * edges at the limits that the what-ifs use.
 */
public final class LatencyHistogram {
  /**
   * The edges of steps in seconds, in addition to edges an eighth of a doubling apart: all timeouts
   * that a what-if or a rule may use, and some minutes. The table {@code s3_durations} has the same
   * edges.
   */
  public static final List<Integer> LIMITS = List.of(1, 2, 4, 5, 10, 15, 30, 60, 120, 300);

  private record Step(int overSeconds, long requests, double seconds) {
    double mean() {
      return seconds / requests;
    }
  }

  private final List<Step> steps;
  private final long requests;
  private final double seconds;

  private LatencyHistogram(List<Step> steps) {
    this.steps = steps;
    this.requests = steps.stream().mapToLong(Step::requests).sum();
    this.seconds = steps.stream().mapToDouble(Step::seconds).sum();
  }

  /** Adds up the rows of the query {@code latencies} that match the api and the size class. */
  public static LatencyHistogram of(
      Table table, Predicate<String> api, Predicate<String> sizeClass) {
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
    return new LatencyHistogram(steps);
  }

  public long requests() {
    return requests;
  }

  public double meanSeconds() {
    return requests == 0 ? 0 : seconds / requests;
  }

  /**
   * Returns the number of requests that took longer than the limit, which must be in {@link
   * #LIMITS}.
   */
  public long over(int limitSeconds) {
    return steps.stream()
        .filter(step -> step.overSeconds() >= limitSeconds)
        .mapToLong(Step::requests)
        .sum();
  }

  /**
   * Returns the total seconds of the requests over the limit, including their time before the
   * limit.
   */
  public double secondsOver(int limitSeconds) {
    return steps.stream()
        .filter(step -> step.overSeconds() >= limitSeconds)
        .mapToDouble(Step::seconds)
        .sum();
  }

  /**
   * Returns a quantile in seconds. It is exact to the width of a step.
   *
   * @param share 0 to 1
   * @return 0 if there are no requests
   */
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
   * Returns the seconds that are saved if slow requests are aborted at the limit and repeated. Each
   * slow request then takes the limit plus the mean duration. Requests that would have ended soon
   * after the limit take longer than before. The result is negative if the timeout would cost more
   * than it saves.
   *
   * @param limitSeconds one of {@link #LIMITS}
   */
  public double savedByAbort(int limitSeconds) {
    return secondsOver(limitSeconds) - over(limitSeconds) * (limitSeconds + meanSeconds());
  }

  /**
   * Returns the seconds that are saved if a second attempt starts at the limit while the first
   * continues, and the first answer is used.
   */
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

  /**
   * Returns a sample for random draws. The requests are ordered by latency and divided into n equal
   * parts; {@code sample(n)[i]} is the latency of the i-th part.
   */
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
