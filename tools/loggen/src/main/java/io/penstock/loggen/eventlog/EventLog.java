/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.eventlog;

import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.JsonMembers;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Writes Spark's event log of the job, as a rolling directory with one part. Its executors are the
 * nodes of the access log. A task runs from its first request to its last.
 */
public final class EventLog {
  private static final long APP_MILLIS = -14_000;
  private static final long EXECUTOR_MILLIS = -8_000;
  private static final long QUERY_MILLIS = -700;
  private static final long JOB_MILLIS = -300;
  private static final long LAUNCH_MILLIS = 400;
  private static final long AFTER_MILLIS = 40;

  private final Plan plan;
  private final TaskPlacement fleet;
  private final WrittenCounts tally;
  private final TaskEvents tasks;

  /** A line and the time at which it was written. */
  private record Line(long millis, String json) {}

  /** Creates the event log of a plan. */
  public EventLog(Plan plan, TaskPlacement fleet, WrittenCounts tally) {
    this.plan = plan;
    this.fleet = fleet;
    this.tally = tally;
    this.tasks = new TaskEvents(plan, fleet, tally);
  }

  /** Writes the event log under a directory. */
  public void write(Path directory) throws IOException {
    String app = JobIdentity.applicationId();
    Path rolling = Files.createDirectories(directory.resolve("eventlog_v2_" + app));
    Files.createFile(rolling.resolve("appstatus_" + app));
    try (BufferedWriter out = Files.newBufferedWriter(rolling.resolve("events_1_" + app))) {
      for (Line line : lines()) {
        out.write(line.json());
        out.write('\n');
      }
    }
  }

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    lines.add(
        new Line(
            APP_MILLIS, event("LogStart").put("Spark Version", JobIdentity.SPARK).close('}') + ""));
    lines.add(new Line(APP_MILLIS, JobEvents.environment(plan)));
    lines.add(new Line(APP_MILLIS, JobEvents.application(at(APP_MILLIS))));
    int executors = Math.min(TaskPlacement.NODES, fleet.slots());
    for (int node = 0; node < executors; node++) {
      long millis = EXECUTOR_MILLIS + 7L * node;
      lines.add(new Line(millis, JobEvents.executor(node, at(millis))));
    }
    lines.add(new Line(QUERY_MILLIS, JobEvents.queryStart(at(QUERY_MILLIS))));
    lines.add(new Line(QUERY_MILLIS, JobEvents.filesRead()));
    lines.add(new Line(JOB_MILLIS, JobEvents.jobStart(plan.tasks(), at(JOB_MILLIS))));
    lines.add(new Line(JOB_MILLIS, JobEvents.stage(false, plan.tasks(), at(JOB_MILLIS), 0)));
    long end = addTasks(lines);
    lines.add(new Line(end, JobEvents.stage(true, plan.tasks(), at(JOB_MILLIS), at(end))));
    lines.add(new Line(end, JobEvents.jobEnd(at(end))));
    lines.add(new Line(end, JobEvents.filesWritten(plan, tally)));
    lines.add(new Line(end, JobEvents.queryEnd(at(end))));
    // The application ends after its last request, and not before the published duration.
    long ends = Math.max(end + 200, plan.durationMillis());
    lines.add(new Line(ends, event("ApplicationEnd").put("Timestamp", at(ends)).close('}') + ""));
    lines.sort(Comparator.comparingLong(Line::millis));
    return lines;
  }

  /** Adds the events of the tasks and returns the time at which the last task ends. */
  private long addTasks(List<Line> lines) {
    long[] slotFree = new long[fleet.slots()];
    long last = 0;
    for (int task = 0; task < plan.tasks(); task++) {
      int slot = task % slotFree.length;
      boolean isIdle = tally.taskFrom[task] == Long.MAX_VALUE;
      long wanted = task < slotFree.length ? LAUNCH_MILLIS + slot : slotFree[slot] + 3;
      long launch = isIdle ? wanted : Math.min(wanted, tally.taskFrom[task] - AFTER_MILLIS);
      launch = Math.max(JOB_MILLIS + 1, launch);
      long finish = Math.max(launch + 300, tally.taskTo[task] + AFTER_MILLIS);
      slotFree[slot] = finish;
      last = Math.max(last, finish);
      lines.add(new Line(launch, tasks.start(task, at(launch))));
      lines.add(new Line(finish, tasks.end(task, at(launch), at(finish))));
    }
    return last + 1;
  }

  private static long at(long millis) {
    return Plan.START.toEpochMilli() + millis;
  }

  static JsonMembers event(String name) {
    return new JsonMembers().open('{').put("Event", "SparkListener" + name);
  }
}
