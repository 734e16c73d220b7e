/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.analysis.JobLimits;
import io.penstock.analyze.html.Figure;
import io.penstock.analyze.html.Tone;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.util.List;

/** The figures of a job from its event log: what people look at before anything about S3. */
final class JobFigures {
  private JobFigures() {}

  /**
   * Returns the figures of a job.
   *
   * @param facts the table job-facts, with one row
   */
  static List<Figure> of(Table facts) {
    long failed = facts.count(0, "failed_tasks");
    long lost = facts.count(0, "lost_executors");
    return List.of(
        new Figure(
            "Tasks",
            Values.of(Kind.COUNT, facts.at(0, "tasks")),
            Values.of(Kind.COUNT, failed) + " failed",
            failed > 0 ? Tone.BAD : Tone.PLAIN),
        new Figure(
            "Executors",
            Values.of(Kind.COUNT, facts.at(0, "executors")),
            Values.of(Kind.COUNT, lost) + " lost",
            lost > 0 ? Tone.BAD : Tone.PLAIN),
        share(facts, "Cores idle", "cores_idle_percent", "of their time", JobLimits.IDLE_PERCENT),
        share(
            facts, "Garbage collection", "gc_percent", "of the tasks' time", JobLimits.GC_PERCENT),
        new Figure(
            "Spilled",
            Values.of(Kind.BYTES, facts.at(0, "disk_spill")),
            "to disk",
            facts.count(0, "disk_spill") > 0 ? Tone.WARN : Tone.PLAIN));
  }

  private static Figure share(Table facts, String label, String column, String note, double much) {
    Tone tone = facts.number(0, column) >= much ? Tone.WARN : Tone.PLAIN;
    return new Figure(label, Values.of(Kind.PERCENT, facts.at(0, column)), note, tone);
  }
}
