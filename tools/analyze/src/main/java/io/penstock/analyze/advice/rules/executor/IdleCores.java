/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.job.FewTasks;
import io.penstock.analyze.advice.rules.job.Skew;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rule R22: finds executors whose cores had no task for most of their time. */
public final class IdleCores extends Rule {
  static final String DYNAMIC = "spark.dynamicAllocation.enabled";
  static final String MOST = "spark.dynamicAllocation.maxExecutors";
  static final String LEAST = "spark.dynamicAllocation.minExecutors";
  static final String INSTANCES = "spark.executor.instances";
  static final String CORES = "spark.cores.max";

  public IdleCores() {
    super(
        new Label("R22", "idle-cores", "cores without a task"),
        "Spark, Job Scheduling: Dynamic Resource Allocation",
        List.of("executors", "app", "troubles"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    if (!hasEnd(evidence)) {
      return lacking(
          LogKind.EVENT_LOG,
          "The event log is incomplete: tasks that were still running at its last event are"
              + " missing.");
    }
    Executors executors = Executors.of(evidence.table("executors"));
    return judge(executors, isExplained(evidence), evidence.settings());
  }

  private Optional<Advice> judge(Executors executors, boolean isExplained, JobSettings settings) {
    if (executors.coreSeconds() <= 0) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs do not have the executors and their cores. A Spark event log has them.");
    }
    double busy = executors.busyShare(settings.coresOfTask());
    double idlePercent = 100 * (1 - busy);
    OptionalLong wanted = advised(executors, settings);
    boolean isDue = wanted.isPresent() && !isExplained;
    Draft draft =
        benchmarkIf(isDue)
            .because(
                "%s had %s of core time. Tasks used %s of this time, so %.0f %% was idle.",
                Counted.of(executors.count(), "executor"),
                Amounts.duration(executors.coreSeconds() * 1000),
                Amounts.duration(busy * executors.coreSeconds() * 1000),
                idlePercent);
    if (wanted.isPresent() && isExplained) {
      draft.because(
          "Most of it was in stages with few or unequal tasks (R20, R26): change these first, since"
              + " fewer executors make all other stages take longer.");
    }
    if (!isDue) {
      return draft.leave(Confidence.MEDIUM);
    }
    draft.change(fewer(wanted.getAsLong(), executors, settings));
    return draft
        .effect(
            Confidence.LOW,
            0,
            "saves up to %.0f %% of the executors' cost; the job gets no faster",
            Math.min(idlePercent, 100 * (1 - wanted.getAsLong() / executors.atOnce())))
        .risk(
            "stages with more tasks than cores take longer. Cores are also idle while a stage waits"
                + " for its last tasks, or while only the driver works; fewer executors do not"
                + " change that")
        .verify(
            "elapsed time; the idle share in the table job-facts (penstock analyze --tables"
                + " job-facts), which should fall")
        .done();
  }

  /** Returns false if the log of the job has no end: then tasks that ran are missing in it. */
  static boolean hasEnd(Evidence evidence) {
    Table app = evidence.table("app");
    return app.isEmpty() || app.at(0, "ended") != null;
  }

  /** Returns how many executors this rule advises; empty if it advises no fewer than there were. */
  static OptionalLong advised(Evidence evidence) {
    Executors executors = Executors.of(evidence.table("executors"));
    return isExplained(evidence) ? OptionalLong.empty() : advised(executors, evidence.settings());
  }

  /** Returns for how long cores, each counted, had no task because a stage waited for its last. */
  private static double waitingSeconds(Evidence evidence) {
    Table stages = evidence.table("troubles");
    double cores = Executors.of(evidence.table("executors")).cores();
    long ofTask = evidence.settings().coresOfTask();
    double waiting = 0;
    for (int row = 0; row < stages.rows().size(); row++) {
      if (Skew.isSkewed(stages, row) || FewTasks.isFew(stages, row, cores / ofTask)) {
        double had = stages.number(row, "elapsed_ms") * cores;
        waiting += Math.max(0, had - stages.number(row, "held_ms") * ofTask) / 1000;
      }
    }
    return waiting;
  }

  /** Returns true if most of the idle time is of stages that waited for their last tasks. */
  static boolean isExplained(Evidence evidence) {
    Executors executors = Executors.of(evidence.table("executors"));
    double busy = executors.busyShare(evidence.settings().coresOfTask());
    double waiting = waitingSeconds(evidence);
    return waiting > 0 && waiting >= Limits.EXPLAINED_SHARE * executors.coreSeconds() * (1 - busy);
  }

  private static OptionalLong advised(Executors executors, JobSettings settings) {
    long wanted = executors.wanted(settings.coresOfTask());
    if (settings.isOn(DYNAMIC)) {
      // Spark does not start with fewer at most than at least.
      wanted = Math.max(wanted, settings.number(LEAST).orElse(0L));
    }
    boolean isFewer = wanted < Math.round(executors.atOnce());
    return isFewer && executors.areIdle(settings.coresOfTask())
        ? OptionalLong.of(wanted)
        : OptionalLong.empty();
  }

  private static Change fewer(long wanted, Executors executors, JobSettings settings) {
    if (settings.isOn(DYNAMIC)) {
      return settings.change(Target.SPARK, MOST, "no limit", Long.toString(wanted));
    }
    if (settings.spark("spark.master").orElse("").startsWith("spark://")) {
      // A standalone cluster starts as many executors as these cores allow.
      long cores = wanted * Math.max(1, executors.coresOfOne());
      return settings.change(Target.SPARK, CORES, "all cores of the workers", Long.toString(cores));
    }
    String now = settings.spark(INSTANCES).orElse(Math.round(executors.atOnce()) + " at a time");
    return new Change(Target.SPARK, INSTANCES, now, Long.toString(wanted));
  }
}
