/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Amounts;

/** The numbers of the rules, each with where it comes from. "Ours" has no source but experience. */
final class Limits {
  // AWS, EMR best practices on AIMD: worth it above 20 % throttled. Its own table has break-even
  // between 14.62 and 23.46 % of writes and AIMD slower in each row below.
  static final double AIMD_ON_PERCENT = 20;
  static final double AIMD_OFF_PERCENT = 15;
  // A short burst is over before a rate is found. Ours.
  static final int AIMD_SECONDS = 60;
  // AWS warns of AIMD where others cause the throttling, without a number. Ours.
  static final double OWN_SHARE_ON_PERCENT = 70;
  static final double OWN_SHARE_OFF_PERCENT = 50;
  // AWS, EMR best practices on AIMD: clusters that are large, or large for small files.
  static final int LARGE_CLUSTER_CORES = 3_500;
  static final int SMALL_FILES_CLUSTER_CORES = 1_500;
  // A start a little above what S3 took is found out by one throttled second. Ours.
  static final double START_RATE_FACTOR = 1.2;

  // AWS, EMR best practices on AIMD: files under 10 MiB are small.
  static final long SMALL_FILE = 10 * Amounts.MIB;
  // Create, part and complete: an upload of a file that would fit into one PUT.
  static final double WRITES_A_FILE = 3;
  static final double THROTTLED_PERCENT = 1;
  // The middle of the 128 to 512 MiB that readers of Parquet like. Ours.
  static final long TARGET_FILE = 256 * Amounts.MIB;
  static final long LARGE_ENOUGH_FILE = 128 * Amounts.MIB;

  // Ours: below it the throttling is spread already.
  static final double HOT_PREFIX_PERCENT = 60;

  // AWS, "Timeouts and retries for latency-sensitive applications", and the published table of
  // 10,208,803 part uploads: S3's availability makes one in 10,000 slow.
  static final double SLOW_SHARE = 1.0 / 10_000;
  static final double EXTRA_SHARE_MAX = 0.005;
  static final double TAIL_MEDIAN_MAX_MS = 1_000;
  static final double TIMEOUT_P99_FACTOR = 3;
  static final int TIMEOUT_MIN_S = 2;
  static final int TIMEOUT_MAX_S = 10;
  static final long TAIL_REQUESTS_MIN = 10_000;
  // Time to connect again and for the first byte, on top of the transfer. Ours.
  static final int TRANSFER_EXTRA_S = 2;
  // hadoop-aws 3.4.2, Constants.MINIMUM_NETWORK_OPERATION_DURATION: request.timeout is raised to
  // it; part.upload.timeout is not.
  static final int S3A_REQUEST_TIMEOUT_MIN_S = 15;
  static final int S3A_REQUEST_TIMEOUT_S = 60;

  // parquet.read.allocation.size, default of Parquet.
  static final long ALLOCATION_DEFAULT = 8 * Amounts.MIB;
  // AWS, "Optimizing performance of Apache Spark workloads on Amazon S3": more cuts partitions.
  static final long ALLOCATION_BEST = 128 * Amounts.MIB;
  static final double ALLOCATION_NEAR = 0.10;
  static final double SCAN_SHARE_PERCENT = 40;
  // A reader may hold so much of an executor's heap in buffers. Ours.
  static final double BUFFER_SHARE = 0.25;

  // Ours; the effect of the vectored settings on S3 is not measured.
  static final long SMALL_GET = 2 * Amounts.MIB;
  static final long SMALL_GAP = Amounts.MIB;
  static final long GETS_MIN = 1_000;

  // parquet.block.size, default of Parquet; AWS's article used 512 MiB.
  static final long ROW_GROUP_DEFAULT = 128 * Amounts.MIB;
  static final long ROW_GROUP_MAX = 512 * Amounts.MIB;
  static final long COLUMN_RUN_MIN = 8 * Amounts.MIB;
  // A writer holds a row group and encodes it. Ours.
  static final int ROW_GROUP_MEMORY = 2;

  // spark.sql.files.maxPartitionBytes and .openCostInBytes, defaults of Spark.
  static final long PARTITION_DEFAULT = 128 * Amounts.MIB;
  static final long PARTITION_MAX = 512 * Amounts.MIB;
  static final double EMPTY_TASKS_PERCENT = 20;
  static final double TASKS_A_CORE_MAX = 20;
  static final double SHORT_TASK_MS = 2_000;
  static final double WAVES_MIN = 2;
  static final int WAVES_WANTED = 3;

  // AWS's article takes the average CPU; KRR the 95th percentile, which event logs do not have.
  static final double CPU_FACTOR = 1.15;
  static final double CPU_STEP = 0.05;
  static final double CPU_MIN = 0.5;
  // robusta-dev/krr: memory is the maximum and 15 %.
  static final double MEMORY_FACTOR = 1.15;
  // Less than that is not worth a change. Ours.
  static final double RESOURCE_CHANGE = 0.10;
  static final double EXECUTOR_SECONDS_MIN = 60;
  // spark.executor.memoryOverheadFactor and the least overhead, defaults of Spark.
  static final double OVERHEAD_FACTOR = 0.10;
  static final long OVERHEAD_MIN = 384 * Amounts.MIB;

  // Kubernetes' default; a name with fewer dots is tried with each search domain first.
  static final int NDOTS_DEFAULT = 5;
  static final int NDOTS_BEST = 2;
  static final double NXDOMAIN_PERCENT = 20;
  static final double QUERIES_A_REQUEST = 0.1;

  // Ours.
  static final double CHECKPOINT_PERCENT = 20;
  static final int BATCHES_MIN = 10;

  // Ours: a job commit leaves some copies and deletes even where it does not rename.
  static final double RENAME_PERCENT = 5;

  // Ours.
  static final double METADATA_SHARE = 0.5;
  static final double HEADS_A_KEY = 3;
  static final long METADATA_MIN = 1_000;

  // hadoop-aws 3.4.2: 5 attempts of the SDK times 7 retries of S3A are its defaults. A limit of 30,
  // as was proposed, would advise against the very values it recommends.
  static final int NESTED_ATTEMPTS_MAX = 35;
  static final int SDK_ATTEMPTS = 5;
  static final int S3A_RETRIES = 7;
  static final int S3A_THROTTLE_RETRIES = 20;
  static final double GIVE_UP_MAX_S = 300;

  private Limits() {}
}
