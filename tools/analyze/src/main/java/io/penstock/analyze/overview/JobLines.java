/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.overview;

import io.penstock.analyze.advice.Version;
import io.penstock.analyze.analysis.JobLimits;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import io.penstock.tables.format.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines on a job that its event log tells, before anything about S3: what people ask first. */
final class JobLines {
  /** Less is not worth a word, whatever its share. */
  private static final double GC_MILLIS = 60_000;

  private final Table facts;
  private final Table problems;
  private final Table lost;
  private final Table told;

  /**
   * @param facts the table job-facts
   * @param problems the table stage-problems
   * @param lost the table lost-executors
   * @param told the table told-requests
   */
  JobLines(Table facts, Table problems, Table lost, Table told) {
    this.facts = facts;
    this.problems = problems;
    this.lost = lost;
    this.told = told;
  }

  /** Returns what is to be said of a job, the worst first. */
  List<Overview.Line> of(String app, String spark) {
    List<Overview.Line> lines = new ArrayList<>();
    for (int row = 0; row < facts.rows().size(); row++) {
      if (facts.text(row, "app_id").equals(app) && facts.at(row, "tasks") != null) {
        failure(row, app, lines);
        lost(app, lines);
        lines.add(new Overview.Line("Tasks", tasks(row)));
        lines.add(new Overview.Line("Time", time(row)));
        lines.add(new Overview.Line("Data", data(row, spark)));
        skew(app, lines);
      }
    }
    told(app, lines);
    return lines;
  }

  private void told(String app, List<Overview.Line> lines) {
    for (int row = 0; row < told.rows().size(); row++) {
      if (told.text(row, "app_id").equals(app) && told.text(row, "of").equals("all")) {
        StringBuilder text = new StringBuilder();
        text.append(Counted.of(told.count(row, "requests"), "request", "requests"));
        text.append(" by Penstock's event, ");
        text.append(String.format(Locale.ROOT, "%,d throttled, ", told.count(row, "throttled")));
        text.append(String.format(Locale.ROOT, "%,d failed, ", told.count(row, "failed")));
        text.append(Values.of(Kind.BYTES, told.at(row, "received"))).append(" received, ");
        text.append(Values.of(Kind.BYTES, told.at(row, "sent"))).append(" sent");
        lines.add(new Overview.Line("S3", text + ": --tables told-requests"));
        return;
      }
    }
  }

  private String tasks(int row) {
    StringBuilder text = new StringBuilder();
    text.append(Counted.of(facts.count(row, "tasks"), "task", "tasks"));
    text.append(" in ").append(Counted.of(facts.count(row, "stages"), "stage", "stages"));
    text.append(" of ").append(Counted.of(facts.count(row, "jobs"), "job", "jobs"));
    add(text, facts.count(row, "failed_tasks"), "task failed", "tasks failed");
    add(text, facts.count(row, "failed_stages"), "stage failed", "stages failed");
    add(text, facts.count(row, "failed_jobs"), "job failed", "jobs failed");
    add(text, facts.count(row, "killed_tasks"), "task was killed", "tasks were killed");
    add(text, facts.count(row, "speculative_tasks"), "speculative copy", "speculative copies");
    return text.toString();
  }

  private static void add(StringBuilder text, long count, String one, String many) {
    if (count > 0) {
      text.append("; ").append(Counted.of(count, one, many));
    }
  }

  private void failure(int row, String app, List<Overview.Line> lines) {
    for (int stage = 0; stage < problems.rows().size(); stage++) {
      if (problems.text(stage, "app_id").equals(app) && problems.at(stage, "error") != null) {
        String where = "stage " + problems.text(stage, "stage") + ": ";
        lines.add(
            new Overview.Line("Error", where + Values.visible(problems.text(stage, "error"))));
        return;
      }
    }
    if (facts.at(row, "failure") != null) {
      lines.add(new Overview.Line("Error", Values.visible(facts.text(row, "failure"))));
    }
  }

  private void lost(String app, List<Overview.Line> lines) {
    long count = 0;
    String reason = "";
    for (int row = 0; row < lost.rows().size(); row++) {
      if (lost.text(row, "app_id").equals(app)) {
        count++;
        reason = reason.isEmpty() ? Values.visible(lost.text(row, "reason")) : reason;
      }
    }
    if (count > 0) {
      lines.add(
          new Overview.Line(
              "Lost", Counted.of(count, "executor", "executors") + ", the first: " + reason));
    }
  }

  private String time(int row) {
    StringBuilder text = new StringBuilder();
    text.append("tasks ran for ").append(Values.of(Kind.MILLIS, facts.at(row, "task_time_ms")));
    text.append(", of which ");
    if (facts.at(row, "cpu_percent") != null) {
      text.append("CPU ").append(percent(row, "cpu_percent")).append(", ");
    }
    text.append("garbage collection ").append(percent(row, "gc_percent"));
    double gcMillis = facts.number(row, "gc_percent") / 100 * facts.number(row, "task_time_ms");
    if (facts.number(row, "gc_percent") >= JobLimits.GC_PERCENT && gcMillis >= GC_MILLIS) {
      text.append(" (much)");
    }
    if (facts.number(row, "shuffle_wait_percent") >= 1) {
      text.append(", waiting for the shuffle ").append(percent(row, "shuffle_wait_percent"));
    }
    if (facts.at(row, "cores_idle_percent") != null) {
      text.append("; cores idle ").append(percent(row, "cores_idle_percent"));
      if (facts.number(row, "cores_idle_percent") >= JobLimits.IDLE_PERCENT) {
        text.append(" of the time that executors had them");
      }
    }
    return text.toString();
  }

  private String percent(int row, String column) {
    return Values.of(Kind.PERCENT, facts.at(row, column));
  }

  private String data(int row, String spark) {
    StringBuilder text = new StringBuilder();
    text.append("read ").append(bytes(row, "input"));
    if (facts.count(row, "files_read") > 0) {
      text.append(areVectored(spark) ? " (Spark's count, without vectored reads)" : "");
      text.append(" by scans of ");
      text.append(Counted.of(facts.count(row, "files_read"), "file", "files"));
      text.append(" of ").append(bytes(row, "files_read_size"));
    }
    text.append(", wrote ").append(bytes(row, "output"));
    long files = facts.count(row, "files_written");
    if (files > 0) {
      text.append(" in ").append(Counted.of(files, "file", "files"));
      boolean areSmall =
          files >= JobLimits.MANY_FILES
              && facts.number(row, "mean_file_written") < JobLimits.SMALL_FILE;
      text.append(areSmall ? " (small: " + bytes(row, "mean_file_written") + " each)" : "");
    }
    text.append(", shuffled ").append(bytes(row, "shuffle_write"));
    if (facts.count(row, "disk_spill") > 0) {
      text.append(", spilled ").append(bytes(row, "disk_spill")).append(" to disk");
    }
    return text.toString();
  }

  private static boolean areVectored(String spark) {
    return Version.in(spark).filter(version -> version.isAtLeast(4, 1, 0)).isPresent();
  }

  private String bytes(int row, String column) {
    return Values.of(Kind.BYTES, facts.at(row, column));
  }

  private void skew(String app, List<Overview.Line> lines) {
    for (int row = 0; row < problems.rows().size(); row++) {
      boolean isSkewed =
          problems.number(row, "skew") >= JobLimits.SKEW_FACTOR
              && problems.number(row, "task_max_ms") - problems.number(row, "task_p50_ms")
                  >= JobLimits.SKEW_MS_MIN;
      if (problems.text(row, "app_id").equals(app) && isSkewed) {
        lines.add(
            new Overview.Line(
                "Skew",
                String.format(
                    Locale.ROOT,
                    "the longest task of stage %s took %s, %.0f times the median of %s",
                    problems.text(row, "stage"),
                    Values.of(Kind.MILLIS, problems.at(row, "task_max_ms")),
                    problems.number(row, "skew"),
                    Values.of(Kind.MILLIS, problems.at(row, "task_p50_ms")))));
        return;
      }
    }
  }
}
