/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import io.penstock.core.config.Nearest;
import java.util.Arrays;
import java.util.List;

/** The keys of a scenario file, with their defaults. */
public enum ScenarioKey {
  TITLE("title", "", "one line for tables and figures"),
  LIMIT("limit", "6h", "simulated time after which a run is given up"),
  EXECUTORS("job.executors", "200", "processes"),
  CORES("job.cores", "8", "threads of each"),
  TASKS("job.tasks", "2800", "handed to whichever thread is free"),
  FILES("job.files", "0", "written by all tasks together"),
  FILE_SIZE("job.file.size", "5.2M", "of each file"),
  PART_SIZE("job.part.size", "128M", "of each part of an upload"),
  COMPUTE("job.compute", "31M", "bytes a second that a thread works through"),
  PER_FILE("job.per.file", "0s", "time a file takes besides bytes and requests"),
  SPREAD("job.spread", "0.11", "share by which tasks are slower or faster, 0 to 1"),
  READS("job.reads", "0", "GETs of each task, before it writes"),
  READ_SIZE("job.read.size", "1M", "of each GET"),
  START_SPREAD("job.start.spread", "4s", "time over which the threads get their first task"),
  WRITES_RATE("s3.writes", "3500", "a second that a partition takes"),
  READS_RATE("s3.reads", "5500", "a second that a partition takes"),
  BURST("s3.burst", "250ms", "of unused rate that a partition keeps"),
  REJECTED_COST("s3.rejected.cost", "0.5", "of a token, for each rejected request"),
  FRONT_ENDS("s3.front.ends", "1", "that share a partition's rate without coordination"),
  LATENCY("s3.latency", "s3", "law, as penstock weather --latency takes it"),
  SPLITS("s3.splits", "", "times at which each partition becomes two: 60s, 120s"),
  COLD_SHARE("s3.cold.share", "1", "of the rates that there is at first"),
  WARM_AFTER("s3.warm.after", "5m", "when the whole of the rates is there"),
  STORM_AT("s3.storm.at", "0s", "when it begins to reject a share of whatever it is sent"),
  STORM_FOR("s3.storm.for", "0s", "how long; 0s means never"),
  STORM_SHARE("s3.storm.share", "0.9", "of the requests that are rejected then"),
  PREFIXES("keys.prefixes", "1", "that the files are spread over"),
  PARTITIONS("keys.partitions", "one", "one for all prefixes, or one for each"),
  HOT_SHARE("keys.hot.share", "0", "of the files in the first prefix; 0 means an even share"),
  TENANT_SHARE("tenant.share", "0", "of the first partition's rate that others ask for"),
  TENANT_ON("tenant.on", "10s", "how long they do, where tenant.off is set"),
  TENANT_OFF("tenant.off", "0s", "how long they pause then"),
  RIVALS("rival.count", "0", "other clusters"),
  RIVAL_POLICY("rival.policy", "twin", "of theirs; twin is the one that is looked at"),
  RIVAL_EXECUTORS("rival.executors", "200", "of each rival that is no twin"),
  RIVAL_CORES("rival.cores", "8", "of each of these"),
  RIVAL_START("rival.start", "0s", "when the rivals come"),
  REPORTS_LOST("driver.reports.lost", "0", "share of the reports that never arrive"),
  LEASE_DELAY("driver.lease.delay", "5ms", "how long a lease travels"),
  DOWN_AT("driver.down.at", "0s", "when the driver is gone"),
  DOWN_FOR("driver.down.for", "0s", "how long; 0s means never"),
  JOINING("join.executors", "0", "that come later"),
  JOIN_AT("join.at", "60s", "when"),
  LEAVING("leave.executors", "0", "that go, and their tasks are done anew"),
  LEAVE_AT("leave.at", "60s", "when");

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

  /** Returns what holds where it is not set. */
  public String usual() {
    return usual;
  }

  public String meaning() {
    return meaning;
  }

  /** The key of that name; a name that is none is refused with the nearest one. */
  public static ScenarioKey of(String written) {
    for (ScenarioKey key : values()) {
      if (key.key.equals(written)) {
        return key;
      }
    }
    List<String> known = Arrays.stream(values()).map(ScenarioKey::key).toList();
    throw new IllegalArgumentException(
        "there is no %s; did you mean %s?".formatted(written, Nearest.of(written, known)));
  }
}
