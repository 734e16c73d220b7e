/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

/**
 * The times at which requests arrive. The curves are read from the published figures of rows 9
 * (back-off) and 10 (AIMD), with an accuracy of 5 %, and stretched to the job's duration. The other
 * rows have no figures and use the same curves. The rates follow from the exact counts.
 *
 * @param files times at which the first request of a file is sent
 * @param throttles times at which requests are throttled
 * @param reads times at which requests that are not writes are sent
 */
public record Arrivals(Curve files, Curve throttles, Curve reads) {
  private static final int STEPS = 2_000;

  /** The last seconds of the job, which are reserved for completing the last files. */
  private static final double LAST_MILLIS = 10_000;

  private static final double BACKOFF_SECONDS = 1_287;
  private static final double[][] BACKOFF_ALL = {
    {0, 1_800},
    {17, 1_800},
    {20, 300},
    {58, 4_000},
    {60, 4_580},
    {75, 4_580},
    {80, 3_850},
    {170, 3_500},
    {240, 1_100},
    {420, 1_050},
    {690, 2_800},
    {800, 2_800},
    {830, 1_600},
    {1_287, 1_000}
  };
  private static final double[][] BACKOFF_THROTTLED = {
    {0, 0},
    {68, 0},
    {72, 900},
    {120, 900},
    {190, 600},
    {260, 400},
    {480, 400},
    {780, 580},
    {1_287, 150}
  };

  private static final double AIMD_SECONDS = 1_138;
  private static final double[][] AIMD_ALL = {
    {0, 1_800},
    {17, 1_800},
    {20, 300},
    {58, 4_000},
    {60, 4_580},
    {75, 4_580},
    {82, 520},
    {245, 3_130},
    {360, 1_100},
    {440, 1_100},
    {690, 2_800},
    {720, 1_100},
    {1_138, 1_000}
  };
  private static final double[][] AIMD_THROTTLED = {
    {0, 0}, {70, 0}, {71, 600}, {80, 600}, {82, 14}, {245, 6}, {690, 2}, {1_138, 0}
  };

  private static final double[][] READS = {{0, 1_750}, {17, 1_750}, {20, 12}, {600, 6}, {900, 0}};

  /** Returns the arrivals of the published figures. */
  public static Arrivals published(boolean isAimd, long durationMillis) {
    double seconds = isAimd ? AIMD_SECONDS : BACKOFF_SECONDS;
    double[] all = rates(isAimd ? AIMD_ALL : BACKOFF_ALL, seconds);
    double[] throttled = rates(isAimd ? AIMD_THROTTLED : BACKOFF_THROTTLED, seconds);
    double[] reads = rates(READS, seconds);
    double[] files = new double[STEPS];
    for (int i = 0; i < lastStart(durationMillis); i++) {
      files[i] = Math.max(0, all[i] - throttled[i] - reads[i]);
    }
    double step = (double) durationMillis / STEPS;
    return new Arrivals(new Curve(step, files), new Curve(step, throttled), new Curve(step, reads));
  }

  /** Returns arrivals at a constant rate. */
  public static Arrivals steady(long durationMillis) {
    double[] files = new double[STEPS];
    double[] all = new double[STEPS];
    for (int i = 0; i < STEPS; i++) {
      all[i] = 1;
      files[i] = i < lastStart(durationMillis) ? 1 : 0;
    }
    double step = (double) durationMillis / STEPS;
    return new Arrivals(new Curve(step, files), new Curve(step, all), new Curve(step, all));
  }

  private static double lastStart(long durationMillis) {
    return STEPS * (1 - LAST_MILLIS / durationMillis);
  }

  /** Returns the rate in the middle of each step, interpolated linearly between the points. */
  private static double[] rates(double[][] points, double seconds) {
    double[] rates = new double[STEPS];
    int right = 1;
    for (int i = 0; i < STEPS; i++) {
      double second = (i + 0.5) * seconds / STEPS;
      while (right < points.length - 1 && points[right][0] < second) {
        right++;
      }
      double[] from = points[right - 1];
      double[] to = points[right];
      double way = Math.min(1, (second - from[0]) / (to[0] - from[0]));
      rates[i] = from[1] + way * (to[1] - from[1]);
    }
    return rates;
  }
}
