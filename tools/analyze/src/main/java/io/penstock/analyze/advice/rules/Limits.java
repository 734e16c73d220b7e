/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Amounts;

/**
 * The numbers of the rules, each with its source: a published page, a default that was read, or a
 * judgement. A judgement is a value of ours that nobody has measured; its reason stands with it.
 *
 * <p>Pages that several numbers come from: "AIMD page" is AWS, EMR best practices, "EMRFS - AIMD
 * Retry Strategy"; "EKS article" is AWS, Storage Blog, "Optimizing performance of Apache Spark
 * workloads on Amazon S3"; "timeouts page" is AWS, "Timeouts and retries for latency-sensitive
 * applications".
 */
final class Limits {
  // AIMD page: consider AIMD above 20 % throttled. Its table has break-even between 14.62 and
  // 23.46 % of the writes, and AIMD slower in each row below.
  static final double AIMD_ON_PERCENT = 20;
  static final double AIMD_OFF_PERCENT = 15;
  // A judgement: a burst of less than a minute is over before a rate is found.
  static final int AIMD_SECONDS = 60;
  // The AIMD page warns of AIMD where others cause the throttling, without a number. A judgement:
  // a job that sends under half of the load cannot end the throttling by itself; from 70 % on it
  // can, and in between a trial says more than a rule.
  static final double OWN_SHARE_ON_PERCENT = 70;
  static final double OWN_SHARE_OFF_PERCENT = 50;
  // AIMD page: more vCores than the 3,500 writes a second of a prefix, or more than 1,500 with
  // files under 10 MiB.
  static final int LARGE_CLUSTER_CORES = 3_500;
  static final int SMALL_FILES_CLUSTER_CORES = 1_500;
  // A judgement: 20 % above what S3 took costs one throttled second to find out, and a start below
  // it would cost the time to grow.
  static final double START_RATE_FACTOR = 1.2;

  // AIMD page: files under 10 MiB are small.
  static final long SMALL_FILE = 10 * Amounts.MIB;
  // Create, part and complete: an upload of a file that would fit into one PUT.
  static final double WRITES_A_FILE = 3;
  // A judgement: in the table of the AIMD page the run with 1.04 % throttled took 14 % longer than
  // the run with none, whose files were larger, too.
  static final double THROTTLED_PERCENT = 1;
  // A judgement: two of the partitions that Spark reads by default, and half of ROW_GROUP_MAX.
  static final long TARGET_FILE = 256 * Amounts.MIB;
  // A judgement: from one partition of Spark's default on, a file keeps a reading task busy.
  static final long LARGE_ENOUGH_FILE = 128 * Amounts.MIB;

  // A judgement: with less of the throttling below one prefix, most of it stays when that prefix is
  // spread.
  static final double HOT_PREFIX_PERCENT = 60;

  // A judgement: S3 Standard is designed for an availability of 99.99 % (S3 user guide, storage
  // classes), so one slow request in 10,000 is to be expected. The published tail has 26 (26,602 of
  // 10,208,803 part uploads took over 5 s).
  static final double SLOW_SHARE = 1.0 / 10_000;
  // As many requests as it takes to see one in 10,000.
  static final long TAIL_REQUESTS_MIN = 10_000;
  // A judgement: twice the 0.26 % that a timeout of 5 s would repeat of the published tail.
  static final double EXTRA_SHARE_MAX = 0.005;
  // A judgement: where every second request takes a second, the shortest timeout cuts honest ones.
  static final double TAIL_MEDIAN_MAX_MS = 1_000;
  // A judgement: what takes three times the 99th percentile is no longer ordinary.
  static final double TIMEOUT_P99_FACTOR = 3;
  // Timeouts page: requests under 512 KiB are repeated after 2 s, and again after 4 s more.
  static final int TIMEOUT_MIN_S = 2;
  static final int TIMEOUT_SECOND_S = 4;
  // A judgement: between the least and the largest, where the published tail is counted.
  static final int TIMEOUT_MIDDLE_S = 5;
  // A judgement: a stage that waits 10 s for one request has lost most of what a timeout can save.
  static final int TIMEOUT_MAX_S = 10;
  // A judgement: time to connect again and for the first byte, on top of the transfer.
  static final int TRANSFER_EXTRA_S = 2;
  // hadoop-aws 3.4.2, Constants.MINIMUM_NETWORK_OPERATION_DURATION: request.timeout is raised to
  // it; part.upload.timeout is not.
  static final int S3A_REQUEST_TIMEOUT_MIN_S = 15;
  // hadoop-aws 3.4.2, default of fs.s3a.connection.request.timeout.
  static final int S3A_REQUEST_TIMEOUT_S = 60;
  // A judgement: whoever sets less for uploads meant small requests; a part takes longer.
  static final int UPLOAD_TIMEOUT_MIN_S = 5;

  // parquet.read.allocation.size, default of Parquet.
  static final long ALLOCATION_DEFAULT = 8 * Amounts.MIB;
  // EKS article: more cuts partitions.
  static final long ALLOCATION_BEST = 128 * Amounts.MIB;
  // A judgement: reads whose median is 10 % off are still those of one size, as the last read of a
  // column is shorter.
  static final double ALLOCATION_NEAR = 0.10;
  // A judgement: where scans take less of the run time, faster ones change little.
  static final double SCAN_SHARE_PERCENT = 40;
  // A judgement: readers leave three quarters of an executor's heap to Spark.
  static final double BUFFER_SHARE = 0.25;
  // EKS article: 10 minutes became 6 with three settings together. A judgement: each of them has a
  // third of that.
  static final double EKS_SETTING_PERCENT = 40.0 / 3;

  // A judgement: reads below what S3A merges to by default (fs.s3a.vectored.read.max.merged.size,
  // 2M in hadoop-aws 3.4.2). The effect of the vectored settings on S3 is not measured.
  static final long SMALL_GET = 2 * Amounts.MIB;
  // A judgement: the gap that the rule would have S3A read over.
  static final long SMALL_GAP = Amounts.MIB;
  // A judgement: a median of fewer reads may be that of one odd file.
  static final long GETS_MIN = 1_000;

  // parquet.block.size, default of Parquet.
  static final long ROW_GROUP_DEFAULT = 128 * Amounts.MIB;
  // EKS article: 512 MiB.
  static final long ROW_GROUP_MAX = 512 * Amounts.MIB;
  // A judgement: what Parquet asks for at a time by default; shorter reads end with their column.
  static final long COLUMN_RUN_MIN = ALLOCATION_DEFAULT;
  // A judgement: a writer holds a row group and encodes it, which takes as much again.
  static final int ROW_GROUP_MEMORY = 2;

  // spark.sql.files.maxPartitionBytes, default of Spark.
  static final long PARTITION_DEFAULT = 128 * Amounts.MIB;
  // EKS article: more than 512 MiB slowed its job.
  static final long PARTITION_MAX = 512 * Amounts.MIB;
  // A judgement: with fewer tasks without rows, starting them is no cost to speak of.
  static final double EMPTY_TASKS_PERCENT = 20;
  // A judgement: ten times WAVES_MIN, of tasks so short that starting them shows.
  static final double TASKS_A_CORE_MAX = 20;
  static final double SHORT_TASK_MS = 2_000;
  // Spark, "Tuning Spark": 2 to 3 tasks a core.
  static final double WAVES_MIN = 2;
  static final int WAVES_WANTED = 3;
  // A judgement: a task without rows takes a tenth of the time of one with rows.
  static final double EMPTY_TASK_COST = 0.1;
  // A judgement: of other reasons to change partitions; it only orders the list.
  static final double PARTITION_GAIN_PERCENT = 5;

  // A judgement: KRR's 15 % of memory. For CPU, the EKS article takes the average, and KRR the 95th
  // percentile, which event logs do not have.
  static final double CPU_FACTOR = 1.15;
  // A judgement: what nobody can tell apart is one request.
  static final double CPU_STEP = 0.05;
  // A judgement: an executor also answers the driver and other executors.
  static final double CPU_MIN = 0.5;
  // EKS article: 16 % less time with more executors on the same nodes.
  static final double CPU_GAIN_PERCENT = 16;
  // robusta-dev/krr: memory is the maximum and 15 %.
  static final double MEMORY_FACTOR = 1.15;
  // A judgement: less than that is not worth a change.
  static final double RESOURCE_CHANGE = 0.10;
  // A judgement: the averages of shorter lives are those of the start.
  static final double EXECUTOR_SECONDS_MIN = 60;
  // spark.executor.memoryOverheadFactor and the least overhead, defaults of Spark.
  static final double OVERHEAD_FACTOR = 0.10;
  static final long OVERHEAD_MIN = 384 * Amounts.MIB;
  // Spark, UnifiedMemoryManager: an executor with less than 450 MiB does not start.
  static final long HEAP_MIN = 512 * Amounts.MIB;

  // Kubernetes' default; a name with fewer dots is tried with each search domain first.
  static final int NDOTS_DEFAULT = 5;
  // A judgement: service.namespace still gets its search domain, and S3's names, of four dots, get
  // none.
  static final int NDOTS_BEST = 2;
  // A judgement: in the EKS article 35 % of the packets were look-ups of names that do not exist.
  static final double NXDOMAIN_PERCENT = 20;
  // A judgement: a client that keeps its connections and answers looks up far less.
  static final double QUERIES_A_REQUEST = 0.1;
  // EKS article: 5 % more throughput.
  static final double NDOTS_GAIN_PERCENT = 5;

  // A judgement: below it, another store for checkpoints does not pay for the move.
  static final double CHECKPOINT_PERCENT = 20;
  // A judgement: the first batches of a query are slow.
  static final int BATCHES_MIN = 10;
  // A judgement: half of the wait. A published job's commits went from 8 to 10 s to 2 to 4 s.
  static final double CHECKPOINT_GAIN = 0.5;

  // A judgement: a job commit leaves some copies and deletes even where it does not rename.
  static final double RENAME_PERCENT = 5;
  // A judgement: at most half of a job is its commit; less where only some files are copied.
  static final double RENAME_GAIN_PERCENT = 50;

  // A judgement: a query needs a list or a HEAD for a file, and then reads several ranges of it.
  static final double METADATA_SHARE = 0.5;
  // A judgement: S3A may ask for a key before, while and after it is written.
  static final double HEADS_A_KEY = 3;
  // A judgement: fewer take no time that anybody waits for.
  static final long METADATA_MIN = 1_000;

  // hadoop-aws 3.4.2, Constants: 5 attempts of the SDK times 7 retries of S3A are its defaults. A
  // limit of 30, as was proposed, would advise against the very values it recommends.
  static final int NESTED_ATTEMPTS_MAX = 35;
  static final int SDK_ATTEMPTS = 5;
  static final int S3A_RETRIES = 7;
  static final int S3A_THROTTLE_RETRIES = 20;
  static final long S3A_RETRY_INTERVAL_MS = 500;
  // hadoop-aws 3.3, default of fs.s3a.attempts.maximum.
  static final int SDK_ATTEMPTS_BEFORE_3_4 = 20;
  // A judgement: after five minutes Spark's retry of the task is the better one.
  static final double GIVE_UP_MAX_S = 300;

  // Judgements that only order the list: another region is far, one gateway is a bottleneck at
  // most.
  static final double REGION_GAIN_PERCENT = 10;
  static final double ROUTE_GAIN_PERCENT = 1;

  private Limits() {}
}
