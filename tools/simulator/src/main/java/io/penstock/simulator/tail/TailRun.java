/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import io.penstock.core.config.Settings;
import io.penstock.s3model.Latency;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Sends the same requests through every policy, with the latencies that were measured of S3. The
 * same seed gives the same numbers.
 *
 * @param rho correlation between the slowness of the attempts of one request
 */
public record TailRun(long requests, long seed, double rho) {
  /** One executor sends a thousand requests per second. */
  private static final long GAP_NANOS = 1_000_000;

  private static final long PROGRESS_EVERY = 500_000;

  public TailRun {
    if (requests < 1) {
      throw new IllegalArgumentException("requests must be at least 1, got " + requests);
    }
  }

  /**
   * Runs all policies and returns their results.
   *
   * @param progress receives the number of finished requests from time to time
   */
  public List<TailRow> run(LongConsumer progress) {
    Draws draws = new Draws(Latency.ofS3(), rho, seed);
    List<Lane> lanes = policies().stream().map(Lane::new).toList();
    for (long done = 0; done < requests; done++) {
      draws.next();
      for (Lane lane : lanes) {
        lane.serve(draws, done * GAP_NANOS);
      }
      if ((done + 1) % PROGRESS_EVERY == 0) {
        progress.accept(done + 1);
      }
    }
    return lanes.stream().map(lane -> lane.row(requests)).toList();
  }

  private List<TailPolicy> policies() {
    return List.of(
        new TailTimeouts("none"),
        new TailTimeouts("timeout 10 s", Duration.ofSeconds(10)),
        new TailTimeouts("timeout 5 s", Duration.ofSeconds(5)),
        new TailTimeouts("2 s, then 4 s", Duration.ofSeconds(2), Duration.ofSeconds(4)),
        new FixedHedge("hedge p95, 2 %", Latency.ofS3().exceededBy(0.05), 0.02),
        new PenstockPolicy(Settings.of(Map.of()), seed));
  }

  /** One policy and its results so far. */
  private static final class Lane {
    private final TailPolicy policy;
    private final TailHistogram tally = new TailHistogram();
    private final TailJobs jobs = new TailJobs();

    Lane(TailPolicy policy) {
      this.policy = policy;
    }

    void serve(Draws draws, long nowNanos) {
      long nanos = policy.serve(draws, nowNanos);
      tally.add(nanos);
      jobs.add(nanos);
    }

    TailRow row(long requests) {
      return new TailRow(
          policy.name(),
          tally.spread(),
          tally.seconds(0.99),
          tally.seconds(0.999),
          tally.seconds(0.9999),
          tally.maxSeconds(),
          100.0 * policy.extraAttempts() / requests,
          jobs.medianTaskSeconds(),
          jobs.slowestTaskSeconds(),
          jobs.uploadSeconds(0.5),
          jobs.uploadSeconds(0.99));
    }
  }
}
