/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/**
 * How long requests took, in the columns of the published measurement.
 *
 * @param over5Seconds number of requests that took longer than 5 s; the others accordingly
 */
public record Spread(
    double p25Millis,
    double p50Millis,
    double p95Millis,
    double over5Seconds,
    double over10Seconds,
    double over30Seconds,
    double over60Seconds) {
  private static final long PUBLISHED_REQUESTS = 10_208_803;

  private static final Spread PUBLISHED = new Spread(48, 80, 880, 26_602, 15_866, 14, 4);

  /**
   * Returns the published measurement of part uploads to S3, with the counts scaled to this number
   * of requests. {@link io.penstock.s3model.Latency#ofS3} names the source.
   */
  public static Spread published(long requests) {
    double scale = (double) requests / PUBLISHED_REQUESTS;
    return new Spread(
        PUBLISHED.p25Millis,
        PUBLISHED.p50Millis,
        PUBLISHED.p95Millis,
        PUBLISHED.over5Seconds * scale,
        PUBLISHED.over10Seconds * scale,
        PUBLISHED.over30Seconds * scale,
        PUBLISHED.over60Seconds * scale);
  }
}
