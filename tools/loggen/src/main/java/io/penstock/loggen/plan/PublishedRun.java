/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import io.penstock.loggen.chance.Apportionment;
import java.util.EnumMap;
import java.util.Map;

/**
 * A row of the published benchmark of EMRFS's retries: one Spark job that reads 1,486 files (2.7
 * TiB) and writes them again, on 200 nodes of 8 cores, into one prefix. Odd rows retry with
 * exponential back-off, even rows with AIMD.
 *
 * <p>For the AIMD rows, only the durations and the totals of throttled requests are published.
 * These totals are divided among the calls as in the back-off row of the same job. The successful
 * requests are also taken from that row.
 *
 * @param number of the row, 1 to 10
 * @param files number of files that the job writes
 * @param fileBytes mean size of a file
 * @param tasks number of tasks that write
 */
public record PublishedRun(
    int number,
    boolean isAimd,
    long durationMillis,
    long files,
    long fileBytes,
    int tasks,
    Counts counts) {
  static final int ROWS = 10;

  /** The number of splits of 128 MiB and 1 GiB in 2.7 TiB, as in the published runs. */
  private static final int TASKS_OF_DEFAULT = 21_568;

  private static final int TASKS_OF_LARGE_SPLITS = 2_765;

  /**
   * Requests by call, including throttled requests: UploadPart, Create, Complete, Get, Head,
   * HeadBucket, List.
   */
  private static final long[][] REQUESTS = {
    {41_907, 21_567, 21_583, 49_871, 11_046, 559, 1_491},
    {59_165, 59_071, 60_708, 26_887, 3_025, 1_134, 1_491},
    {121_590, 118_113, 135_054, 26_826, 2_995, 1_103, 1_491},
    {253_102, 239_658, 324_886, 27_052, 3_046, 1_130, 1_491},
    {728_803, 626_246, 915_106, 26_888, 3_032, 1_120, 1_491},
  };

  /** Throttled requests by call: Create, Complete, Part. */
  private static final long[][] THROTTLED = {
    {0, 0, 0},
    {43, 1_677, 139},
    {1_456, 18_406, 4_933},
    {6_879, 92_323, 20_323},
    {47_089, 335_949, 149_644},
  };

  private static final long[] THROTTLED_OF_AIMD = {0, 310, 3_451, 4_703, 9_704};
  private static final long[] FILES = {21_568, 59_024, 116_658, 232_594, 579_158};
  private static final double[] MEBIBYTES = {133, 49.6, 25.0, 12.6, 5.2};
  private static final long[] SECONDS = {285, 325, 366, 558, 1_287};
  private static final long[] SECONDS_OF_AIMD = {293, 374, 472, 616, 1_138};

  /** Returns a row of the published benchmark. */
  public static PublishedRun of(int number) {
    if (number < 1 || number > ROWS) {
      throw new IllegalArgumentException(
          "the published benchmark has the rows 1 to 10, not " + number);
    }
    int job = (number - 1) / 2;
    boolean isAimd = number % 2 == 0;
    return new PublishedRun(
        number,
        isAimd,
        1_000 * (isAimd ? SECONDS_OF_AIMD[job] : SECONDS[job]),
        FILES[job],
        (long) (MEBIBYTES[job] * (1 << 20)),
        job == 0 ? TASKS_OF_DEFAULT : TASKS_OF_LARGE_SPLITS,
        isAimd ? aimd(job) : backoff(job));
  }

  private static Counts backoff(int job) {
    Map<Call, Long> throttled = new EnumMap<>(Call.class);
    throttled.put(Call.CREATE, THROTTLED[job][0]);
    throttled.put(Call.COMPLETE, THROTTLED[job][1]);
    throttled.put(Call.PART, THROTTLED[job][2]);
    Map<Call, Long> succeeded = new EnumMap<>(Call.class);
    Call[] order = {
      Call.PART, Call.CREATE, Call.COMPLETE, Call.GET, Call.HEAD, Call.HEAD_BUCKET, Call.LIST
    };
    for (int i = 0; i < order.length; i++) {
      succeeded.put(order[i], REQUESTS[job][i] - throttled.getOrDefault(order[i], 0L));
    }
    return new Counts(succeeded, throttled);
  }

  private static Counts aimd(int job) {
    Counts backoff = backoff(job);
    Map<Call, Long> throttled = new EnumMap<>(Call.class);
    if (THROTTLED_OF_AIMD[job] > 0) {
      long[] shares = Apportionment.of(THROTTLED_OF_AIMD[job], THROTTLED[job]);
      throttled.put(Call.CREATE, shares[0]);
      throttled.put(Call.COMPLETE, shares[1]);
      throttled.put(Call.PART, shares[2]);
    }
    return new Counts(backoff.succeeded(), throttled);
  }
}
