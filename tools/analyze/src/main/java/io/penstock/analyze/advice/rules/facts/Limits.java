/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.facts;

import io.penstock.analyze.advice.Amounts;

/**
 * The numbers that the rules use, each with its source: a published page, a default value read in
 * the code, or a judgement. A judgement is our own value, which nobody has measured; its reason
 * stands beside it.
 *
 * <p>Pages that are the source of several numbers: "AIMD page" is AWS, EMR best practices, "EMRFS -
 * AIMD Retry Strategy"; "EKS article" is AWS, Storage Blog, "Optimizing performance of Apache Spark
 * workloads on Amazon S3"; "timeouts page" is AWS, "Timeouts and retries for latency-sensitive
 * applications".
 */
public final class Limits {
  // AIMD page: consider AIMD above 20 % throttled. In its table, AIMD and backoff break even
  // between 14.62 and 23.46 % of the writes, and AIMD is slower in every row below that.
  public static final double AIMD_ON_PERCENT = 20;
  public static final double AIMD_OFF_PERCENT = 15;
  // A judgement: a burst shorter than a minute is over before rate control has found a rate.
  public static final int AIMD_SECONDS = 60;
  // The AIMD page warns against AIMD if others cause the throttling, but gives no number. A
  // judgement: a job that sends less than half of the load cannot end the throttling by itself. A
  // job that sends 70 % or more can. In between, a trial says more than a rule.
  public static final double OWN_SHARE_ON_PERCENT = 70;
  public static final double OWN_SHARE_OFF_PERCENT = 50;
  // AIMD page: a cluster is large if it has more vCores than the 3,500 writes a second of a prefix,
  // or more than 1,500 vCores and files under 10 MiB.
  public static final int LARGE_CLUSTER_CORES = 3_500;
  public static final int SMALL_FILES_CLUSTER_CORES = 1_500;

  // Create, part and complete: the requests of an upload whose file would fit into one PUT.
  public static final double WRITES_A_FILE = 3;
  // A judgement: in the table of the AIMD page, the run with 1.04 % throttled took 14 % longer than
  // the run without throttling. That run also had larger files.
  public static final double THROTTLED_PERCENT = 1;
  // A judgement: the size of two default partitions of Spark, and half of ROW_GROUP_MAX.
  public static final long TARGET_FILE = 256 * Amounts.MIB;

  /** Of the cluster of the published runs [AIMD]. */
  public static final int PUBLISHED_CORES = 1_600;

  /** The share of writes that were throttled in the published run of the smallest files [AIMD]. */
  public static final double PUBLISHED_THROTTLED_PERCENT = 23.46;

  // A judgement: worth more than nothing, which is all that is known without the job's times.
  public static final double FILES_GAIN_PERCENT = 1;

  // A judgement: a file of at least one default partition of Spark keeps a reading task busy.
  public static final long LARGE_ENOUGH_FILE = 128 * Amounts.MIB;

  // A judgement: more than 250 MB a second is more than a task decodes.
  public static final double TASK_BYTES_A_MS_MAX = 250_000;

  /** The requests a second that S3 takes of a prefix at least [S3]. */
  public static final double PREFIX_WRITES = 3_500;

  public static final double PREFIX_READS = 5_500;

  // A judgement: so far below S3's limit, it is not the load of these logs that S3 throttles.
  public static final double LIMIT_SHARE_MIN = 0.3;

  // A judgement: fewer are repeated without anybody noticing.
  public static final long THROTTLED_DELETES_MIN = 20;
  public static final String DELETE_PAGE = "50";

  // Defaults, from core-default.xml of Hadoop and AWS's page on EMRFS.
  public static final long CONNECTIONS = 500;
  public static final long CONNECTIONS_BEFORE_3_4 = 96;
  public static final long EMRFS_CONNECTIONS = 50;

  // A judgement: if one prefix has a smaller share of the throttling, most of the throttling stays
  // when that prefix is spread.
  public static final double HOT_PREFIX_PERCENT = 60;

  // A judgement: S3 Standard is designed for an availability of 99.99 % (S3 user guide, storage
  // classes), so one slow request in 10,000 is normal. The published tail has 26 in that number
  // (26,602 of 10,208,803 part uploads took over 5 s).
  public static final double SLOW_SHARE = 1.0 / 10_000;
  // The number of requests that is needed to see one in 10,000.
  public static final long TAIL_REQUESTS_MIN = 10_000;
  // A judgement: twice the 0.26 % of requests that a timeout of 5 s would repeat in the published
  // tail.
  public static final double EXTRA_SHARE_MAX = 0.005;
  // A judgement: if half of the requests take a second or more, the shortest timeout would also end
  // normal requests.
  public static final double TAIL_MEDIAN_MAX_MS = 1_000;
  // A judgement: a request that takes three times p99 is no longer normal.
  public static final double TIMEOUT_P99_FACTOR = 3;
  // Timeouts page: requests under 512 KiB are repeated after 2 s, and again after another 4 s.
  public static final int TIMEOUT_MIN_S = 2;
  public static final int TIMEOUT_SECOND_S = 4;
  // A judgement: a value between the shortest and the longest timeout. The published tail is
  // counted at this value.
  public static final int TIMEOUT_MIDDLE_S = 5;
  // A judgement: a stage that waits 10 s for one request has already lost most of the time that a
  // timeout can save.
  public static final int TIMEOUT_MAX_S = 10;
  // A judgement: the time for a new connection and for the first byte, in addition to the transfer.
  public static final int TRANSFER_EXTRA_S = 2;
  // hadoop-aws 3.4.2, Constants.MINIMUM_NETWORK_OPERATION_DURATION: S3A raises request.timeout to
  // this value, but not part.upload.timeout.
  public static final int S3A_REQUEST_TIMEOUT_MIN_S = 15;
  // hadoop-aws 3.4.2, default of fs.s3a.connection.request.timeout.
  public static final int S3A_REQUEST_TIMEOUT_S = 60;
  // hadoop-aws 3.4.1, default of fs.s3a.connection.part.upload.timeout.
  public static final int S3A_UPLOAD_TIMEOUT_S = 900;
  // A judgement: a shorter timeout for uploads was chosen for small requests, but a part takes
  // longer.
  public static final int UPLOAD_TIMEOUT_MIN_S = 5;

  // parquet.read.allocation.size, default of Parquet.
  public static final long ALLOCATION_DEFAULT = 8 * Amounts.MIB;
  // EKS article: a larger size cuts partitions.
  public static final long ALLOCATION_BEST = 128 * Amounts.MIB;
  // A judgement: if the median of the reads is within 10 % of a size, they count as reads of this
  // size. The last read of a column is shorter.
  public static final double ALLOCATION_NEAR = 0.10;
  // A judgement: if scans take a smaller share of the run time, faster scans change little.
  public static final double SCAN_SHARE_PERCENT = 40;
  // A judgement: readers use at most one quarter of an executor's heap and leave the rest to Spark.
  public static final double BUFFER_SHARE = 0.25;
  // EKS article: three settings together reduced 10 minutes to 6. A judgement: each setting has a
  // third of the effect.
  public static final double EKS_SETTING_PERCENT = 40.0 / 3;

  // A judgement: reads are small if they are below the size up to which S3A merges reads by default
  // (fs.s3a.vectored.read.max.merged.size, 2M in hadoop-aws 3.4.2). The effect of the vectored
  // settings on S3 has not been measured.
  public static final long SMALL_GET = 2 * Amounts.MIB;
  // A judgement: the gap that S3A reads over with the settings that the rule recommends.
  public static final long SMALL_GAP = Amounts.MIB;
  // A judgement: the median of fewer reads may come from a single unusual file.
  public static final long GETS_MIN = 1_000;

  // parquet.block.size, default of Parquet.
  public static final long ROW_GROUP_DEFAULT = 128 * Amounts.MIB;
  // EKS article: the largest recommended size is 512 MiB.
  public static final long ROW_GROUP_MAX = 512 * Amounts.MIB;
  // A judgement: the size of Parquet's reads by default. A read is shorter only at the end of a
  // column.
  public static final long COLUMN_RUN_MIN = ALLOCATION_DEFAULT;
  // A judgement: a writer holds a row group in memory, and encoding it takes as much memory again.
  public static final int ROW_GROUP_MEMORY = 2;

  // spark.sql.files.maxPartitionBytes, default of Spark.
  public static final long PARTITION_DEFAULT = 128 * Amounts.MIB;
  // EKS article: more than 512 MiB slowed its job.
  public static final long PARTITION_MAX = 512 * Amounts.MIB;
  // A judgement: if a smaller share of the tasks has no rows, the cost of starting them is
  // negligible.
  public static final double EMPTY_TASKS_PERCENT = 20;
  // A judgement, for tasks so short that the cost of starting them is noticeable.
  public static final double TASKS_A_CORE_MAX = 20;
  public static final double SHORT_TASK_MS = 2_000;
  // A judgement: with fewer tasks a core than this, a quarter of the cores have nothing to read.
  public static final double WAVES_MIN = 0.75;

  // Judgements beside those of JobLimits: of fewer tasks the median says little.
  public static final long SKEW_TASKS_MIN = 4;
  public static final double SKEW_SHARE_MIN = 0.2;

  // Judgements: shorter stages are not worth another program.
  public static final double FEW_TASKS_MS_MIN = 60_000;
  public static final double FEW_TASKS_SHARE_MIN = 0.2;

  // A judgement: what most of the idle time comes from is to be changed first.
  public static final double EXPLAINED_SHARE = 0.5;

  // A judgement: who sent less wrote few of the files.
  public static final double SHARER_MIN = 0.02;

  // A judgement: fewer throttled answers show no rate.
  public static final long THROTTLED_MIN = 20;
  public static final long SPILL_MIN = 1L << 30;
  // Spark's advisory size of a partition after a shuffle is 64 MiB; twice that still fits.
  public static final long SHUFFLE_TASK = 128L << 20;
  public static final long ADVISORY_PARTITION = 64L << 20;
  // Spark's default of spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes.
  public static final long SKEWED_PARTITION = 256L << 20;
  // Spark's default of spark.sql.shuffle.partitions.
  public static final long SHUFFLE_PARTITIONS = 200;
  static final double IDLE_CORE_SECONDS_MIN = 600;
  static final double IDLE_MARGIN = 1.25;
  // Spark, "Tuning Spark": 2 to 3 tasks a core, where each has enough to read.
  public static final int WAVES_WANTED = 3;
  // A judgement: a task without rows takes a tenth of the time of a task with rows.
  public static final double EMPTY_TASK_COST = 0.1;
  // A judgement: the gain for all other reasons to change partitions. It only orders the list.
  public static final double PARTITION_GAIN_PERCENT = 5;

  // A judgement: fewer files are an example, and no job's way of writing.
  public static final long FILES_MIN = 20;

  // A judgement: CPU gets the 15 % that KRR adds to memory. For CPU, the EKS article takes the
  // average, and KRR takes the 95th percentile, which event logs do not have.
  public static final double CPU_FACTOR = 1.15;
  // A judgement: beside its tasks, an executor has threads of I/O and of garbage collection.
  public static final double CPU_LIMIT_FACTOR = 2;
  // A judgement: the request is rounded to this step, because nobody notices a smaller difference.
  public static final double CPU_STEP = 0.05;
  // A judgement: an executor needs some CPU to answer the driver and other executors.
  public static final double CPU_MIN = 0.5;
  // EKS article: with more executors on the same nodes, the job took 16 % less time.
  public static final double CPU_GAIN_PERCENT = 16;
  // robusta-dev/krr: the memory request is the maximum plus 15 %.
  public static final double MEMORY_FACTOR = 1.15;
  // A judgement: where only the heap's peak is known, take away at most a quarter at a time.
  public static final double HEAP_ONLY_STEP = 0.75;
  // A judgement: a peak of the heap alone is worth a trial where half of the heap was never used.
  public static final double HEAP_ONLY_USED = 0.5;
  // Judgements: a heap that is too small needs more than a margin; half of the collection stays.
  public static final double HEAP_STEP = 1.5;
  public static final double GC_GAIN = 0.5;
  // A judgement: less is over before anybody could change a setting.
  static final double GC_SECONDS_MIN = 60;
  // A judgement: a smaller change of a request is not worth making.
  public static final double RESOURCE_CHANGE = 0.10;
  // A judgement: the averages of executors with a shorter life describe only their start.
  public static final double EXECUTOR_SECONDS_MIN = 60;
  // Spark's defaults of spark.executor.memoryOverheadFactor and of the smallest overhead.
  public static final double OVERHEAD_FACTOR = 0.10;
  // Spark's default of that factor for programs in Python or R on Kubernetes.
  public static final double PYTHON_POD_FACTOR = 0.40;
  public static final long OVERHEAD_MIN = 384 * Amounts.MIB;
  // Spark, UnifiedMemoryManager: an executor with less than 450 MiB does not start.
  public static final long HEAP_MIN = 512 * Amounts.MIB;

  // Kubernetes' default; a name with fewer dots is tried with each search domain first.
  public static final int NDOTS_DEFAULT = 5;
  // A judgement: with this value, service.namespace still gets its search domain, and the names of
  // S3, which have four dots, get none.
  public static final int NDOTS_BEST = 2;
  // A judgement: in the EKS article, 35 % of the packets were look-ups of names that do not exist.
  public static final double NXDOMAIN_PERCENT = 20;
  // A judgement: a client that keeps its connections and caches answers makes far fewer look-ups.
  public static final double QUERIES_A_REQUEST = 0.1;
  // EKS article: 5 % more throughput.
  public static final double NDOTS_GAIN_PERCENT = 5;

  // A judgement: if checkpoints take a smaller share of the time, moving them to another store does
  // not pay.
  public static final double CHECKPOINT_PERCENT = 20;
  // A judgement: the logs of a batch take a local disk a tenth of a second, and S3 several.
  public static final double CHECKPOINT_MS_MIN = 250;
  // A judgement: the first batches of a query are slow.
  public static final int BATCHES_MIN = 10;
  // A judgement: another store saves half of the wait. In a published job, commits went from 8 to
  // 10 s down to 2 to 4 s.
  public static final double CHECKPOINT_GAIN = 0.5;

  // A judgement: a job commit makes some copies and deletes even if it does not rename.
  public static final double RENAME_PERCENT = 5;
  // A judgement: the commit takes at most half of a job's time, and less if only some files are
  // copied.
  public static final double RENAME_GAIN_PERCENT = 50;

  // A judgement: a query needs one list or HEAD for each file, and then reads several ranges of the
  // file.
  public static final double METADATA_SHARE = 0.5;
  // A judgement: S3A may send a HEAD for a key before, during and after writing it.
  public static final double HEADS_A_KEY = 3;
  // A judgement: a smaller number of these requests takes no time that anybody notices.
  public static final long METADATA_MIN = 1_000;

  // hadoop-aws 3.4.2, Constants: the defaults are 5 attempts of the SDK, once and for each of 7
  // retries of S3A. With a limit of 30, which was proposed, the rule would advise against the
  // values that it recommends.
  public static final int NESTED_ATTEMPTS_MAX = 40;
  public static final int SDK_ATTEMPTS = 5;
  public static final int S3A_RETRIES = 7;
  public static final int S3A_THROTTLE_RETRIES = 20;
  public static final long S3A_RETRY_INTERVAL_MS = 500;
  // hadoop-aws 3.3, default of fs.s3a.attempts.maximum.
  public static final int SDK_ATTEMPTS_BEFORE_3_4 = 20;
  // A judgement: after five minutes, Spark's retry of the whole task is better.
  public static final double GIVE_UP_MAX_S = 300;

  // Judgements that only order the list: another region is far away, while a single gateway is at
  // most a bottleneck.
  public static final double REGION_GAIN_PERCENT = 10;
  public static final double ROUTE_GAIN_PERCENT = 1;

  private Limits() {}
}
