/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.eventlog;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.JsonMembers;

/** Writes the events of the tasks that write. */
final class TaskEvents {
  /** The total input bytes and rows of the job. */
  private static final long INPUT_BYTES = 2_968_681_394_995L;

  private static final long ROWS = 57_600_000_000L;
  private static final int SCAN_TIME = 4;

  private final Plan plan;
  private final TaskPlacement fleet;
  private final WrittenCounts tally;
  private long scanMillis;

  TaskEvents(Plan plan, TaskPlacement fleet, WrittenCounts tally) {
    this.plan = plan;
    this.fleet = fleet;
    this.tally = tally;
  }

  String start(int task, long launch) {
    JsonMembers json = head("TaskStart").object("Task Info");
    info(json, task, launch, 0, -1);
    return json.close('}').close('}').toString();
  }

  String end(int task, long launch, long finish) {
    double chance = Mix.unit(Mix.of(plan.options().seed(), Purpose.TASK, task));
    long scan = (long) ((finish - launch) * (0.15 + 0.2 * chance));
    scanMillis += scan;
    JsonMembers json = head("TaskEnd").put("Task Type", "ResultTask");
    json.object("Task End Reason").put("Reason", "Success").close('}');
    json.object("Task Info");
    info(json, task, launch, finish, scan);
    json.close('}');
    json.object("Task Executor Metrics").put("JVMHeapMemory", 2_400_000_000L);
    json.put("JVMOffHeapMemory", 190_000_000L).put("OnHeapExecutionMemory", 0).close('}');
    metrics(json.object("Task Metrics"), task, finish - launch, chance);
    return json.close('}').toString();
  }

  private static JsonMembers head(String event) {
    return EventLog.event(event).put("Stage ID", 0).put("Stage Attempt ID", 0);
  }

  private void info(JsonMembers json, int task, long launch, long finish, long scan) {
    int node = fleet.node(task);
    json.put("Task ID", task).put("Index", task).put("Attempt", 0).put("Partition ID", task);
    json.put("Launch Time", launch).put("Executor ID", JobEvents.executorId(node));
    json.put("Host", TaskPlacement.address(node)).put("Locality", "PROCESS_LOCAL");
    json.put("Speculative", false).put("Getting Result Time", 0).put("Finish Time", finish);
    json.put("Failed", false).put("Killed", false).array("Accumulables");
    if (scan >= 0) {
      // Spark writes the values of SQL metrics as text.
      json.open('{').put("ID", SCAN_TIME).put("Name", "scan time");
      json.put("Update", Long.toString(scan)).put("Value", Long.toString(scanMillis));
      json.put("Internal", true).put("Count Failed Values", true).put("Metadata", "sql").close('}');
    }
    json.close(']');
  }

  private void metrics(JsonMembers json, int task, long millis, double chance) {
    long rows = ROWS / Math.max(1, plan.tasks());
    json.put("Executor Deserialize Time", 12).put("Executor Deserialize CPU Time", 9_000_000L);
    json.put("Executor Run Time", Math.max(1, millis - 15));
    json.put("Executor CPU Time", (long) (millis * 1e6 * (0.12 + 0.2 * chance)));
    json.put("Peak Execution Memory", 0).put("Peak On Heap Execution Memory", 0);
    json.put("Peak Off Heap Execution Memory", 0).put("Result Size", 5_122);
    json.put("JVM GC Time", (long) (millis * 0.01 * chance)).put("Result Serialization Time", 1);
    json.put("Memory Bytes Spilled", 0).put("Disk Bytes Spilled", 0);
    json.object("Shuffle Read Metrics").put("Remote Blocks Fetched", 0);
    json.put("Local Blocks Fetched", 0).put("Fetch Wait Time", 0).put("Remote Bytes Read", 0);
    json.put("Remote Bytes Read To Disk", 0).put("Local Bytes Read", 0);
    json.put("Total Records Read", 0).put("Remote Requests Duration", 0).close('}');
    json.object("Shuffle Write Metrics").put("Shuffle Bytes Written", 0);
    json.put("Shuffle Write Time", 0).put("Shuffle Records Written", 0).close('}');
    // Spark 4 logs only the footers of Parquet files that are read with vectored reads, not the
    // data.
    json.object("Input Metrics").put("Bytes Read", 14_000 + (long) (9_000 * chance));
    json.put("Records Read", rows).close('}');
    json.object("Output Metrics").put("Bytes Written", tally.taskBytes[task]);
    json.put("Records Written", rows).close('}').array("Updated Blocks").close(']').close('}');
  }

  static long inputBytes() {
    return INPUT_BYTES;
  }
}
