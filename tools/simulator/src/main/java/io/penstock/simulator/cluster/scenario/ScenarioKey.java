/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import io.penstock.core.config.NearestName;
import java.util.Arrays;
import java.util.List;

/** The keys of a scenario file, with their defaults. */
public enum ScenarioKey {
  TITLE("title", "", "one line for tables and figures"),
  LIMIT("limit", "6h", "simulated time after which a run is given up"),
  EXECUTORS("job.executors", "200", "processes"),
  CORES("job.cores", "8", "threads of each executor"),
  TASKS("job.tasks", "2800", "number of tasks; each goes to a thread that is free"),
  FILES("job.files", "0", "number of files that all tasks together write"),
  FILE_SIZE("job.file.size", "5.2M", "size of each file"),
  INLINE("job.inline", "false", "true: each file is one PUT, as in a commit of inline files"),
  PART_SIZE("job.part.size", "128M", "size of each part of an upload"),
  COMPUTE("job.compute", "31M", "bytes that a thread computes per second"),
  PER_FILE(
      "job.per.file",
      "0s",
      "time that a file takes in addition to computing its bytes and sending its requests"),
  SPREAD("job.spread", "0.11", "share by which tasks are slower or faster, 0 to 1"),
  READS("job.reads", "0", "GETs of each task, before it writes"),
  READ_SIZE("job.read.size", "1M", "size of each GET"),
  SETUP("job.setup", "0s", "time from the job's start to its first task"),
  START_SPREAD("job.start.spread", "4s", "time over which the threads get their first task"),
  WRITES_RATE("s3.writes", "3500", "writes per second that a partition accepts"),
  READS_RATE("s3.reads", "5500", "reads per second that a partition accepts"),
  BURST("s3.burst", "250ms", "unused rate that a partition saves up, as time"),
  REJECTED_COST("s3.rejected.cost", "0.5", "share of a token that a rejected request costs"),
  COMPLETE_COST("s3.complete.cost", "1", "writes that a CompleteMultipartUpload counts as"),
  FRONT_ENDS("s3.front.ends", "1", "front ends that share a partition's rate without coordination"),
  LATENCY("s3.latency", "s3", "latency distribution, as for penstock weather --latency"),
  SPLITS("s3.splits", "", "times at which each partition becomes two: 60s, 120s"),
  COLD_SHARE("s3.cold.share", "1", "share of the rates that is available at first"),
  WARM_AFTER("s3.warm.after", "5m", "when the full rates are available"),
  STORM_AT("s3.storm.at", "0s", "when S3 begins to reject a share of all requests"),
  STORM_FOR("s3.storm.for", "0s", "how long this storm lasts; 0s means no storm"),
  STORM_SHARE("s3.storm.share", "0.9", "share of the requests that S3 rejects in the storm"),
  PREFIXES("keys.prefixes", "1", "prefixes that the files are spread over"),
  PARTITIONS("keys.partitions", "one", "one: one partition for all prefixes; each: one for each"),
  HOT_SHARE("keys.hot.share", "0", "share of the files in the first prefix; 0 means an even share"),
  TENANT_SHARE("tenant.share", "0", "share of the first partition's rate that others request"),
  TENANT_ON("tenant.on", "10s", "how long they send, if tenant.off is set"),
  TENANT_OFF("tenant.off", "0s", "how long they pause after that"),
  RIVALS("rival.count", "0", "other clusters"),
  RIVAL_POLICY("rival.policy", "twin", "policy of the rivals; twin means the policy under test"),
  RIVAL_EXECUTORS("rival.executors", "200", "executors of each rival that is not a twin"),
  RIVAL_CORES("rival.cores", "8", "cores of each of these executors"),
  RIVAL_START("rival.start", "0s", "when the rivals start"),
  REPORTS_LOST("driver.reports.lost", "0", "share of the reports that never arrive"),
  LEASE_DELAY("driver.lease.delay", "5ms", "how long a lease travels"),
  DOWN_AT("driver.down.at", "0s", "when the driver is gone"),
  DOWN_FOR("driver.down.for", "0s", "how long the driver is gone; 0s means that it is never gone"),
  JOINING("join.executors", "0", "executors that join later"),
  JOIN_AT("join.at", "60s", "when they join"),
  LEAVING("leave.executors", "0", "executors that leave; their tasks run again"),
  LEAVE_AT("leave.at", "60s", "when they leave");

  private final String key;
  private final String usual;
  private final String meaning;

  ScenarioKey(String key, String usual, String meaning) {
    this.key = key;
    this.usual = usual;
    this.meaning = meaning;
  }

  public String key() {
    return key;
  }

  /** Returns the default value. */
  public String usual() {
    return usual;
  }

  public String meaning() {
    return meaning;
  }

  /**
   * Returns the key with this name.
   *
   * @throws IllegalArgumentException when there is none of that name; the message names the most
   *     similar one
   */
  public static ScenarioKey of(String written) {
    for (ScenarioKey key : values()) {
      if (key.key.equals(written)) {
        return key;
      }
    }
    List<String> known = Arrays.stream(values()).map(ScenarioKey::key).toList();
    throw new IllegalArgumentException(
        "there is no %s; did you mean %s?".formatted(written, NearestName.of(written, known)));
  }
}
