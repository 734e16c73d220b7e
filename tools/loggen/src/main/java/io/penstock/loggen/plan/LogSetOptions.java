/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import java.util.Set;

/**
 * The options for generating logs. The same options give the same bytes on any machine and with any
 * number of threads.
 *
 * @param run row of the published benchmark, 1 to 10; not used by {@link LogScenario#TAIL}
 * @param requests total number, including throttled requests
 * @param isGzip whether the access log is compressed; CloudTrail always is, the event log never
 * @param oddShare share of the access log's lines with one of S3's known oddities
 * @param prefixes number of prefixes that the job writes under; the first has by far the most files
 * @param hasAudit whether requests carry S3A's audit as their referer
 */
public record LogSetOptions(
    LogScenario scenario,
    int run,
    long requests,
    long seed,
    Set<LogForm> formats,
    boolean isGzip,
    double oddShare,
    int prefixes,
    boolean hasAudit,
    int threads) {
  /** The smallest number of requests that can show the effect of a scenario. */
  public static final long REQUESTS_MIN = 1_000;

  public static final long REQUESTS_MAX = 1_000_000_000;
  private static final int PREFIXES_MAX = 10_000;

  public LogSetOptions {
    formats = Set.copyOf(formats);
    PublishedRun.of(run);
    if (requests < REQUESTS_MIN || requests > REQUESTS_MAX) {
      throw new IllegalArgumentException(
          "need %,d to %,d requests, got %,d".formatted(REQUESTS_MIN, REQUESTS_MAX, requests));
    }
    if (!(oddShare >= 0 && oddShare <= 1)) {
      throw new IllegalArgumentException("the share of odd lines is 0 to 1, not " + oddShare);
    }
    if (prefixes < 1 || prefixes > PREFIXES_MAX) {
      throw new IllegalArgumentException("need 1 to 10,000 prefixes, got " + prefixes);
    }
    if (formats.isEmpty()) {
      throw new IllegalArgumentException("need one format at least");
    }
    if (threads < 1) {
      throw new IllegalArgumentException("need one thread at least, got " + threads);
    }
  }

  /**
   * Returns the number of requests of a job of this size.
   *
   * @param scale 1 is the size of the published job
   */
  public static long requestsAt(LogScenario scenario, int run, double scale) {
    if (!(scale > 0)) {
      throw new IllegalArgumentException("the scale must be above 0, got " + scale);
    }
    return Math.round(scale * Plan.published(scenario, run).requests());
  }
}
