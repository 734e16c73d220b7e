/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

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
import io.penstock.analyze.advice.rules.facts.Stages;
import io.penstock.tables.Label;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rule R10: finds tasks without rows, too many short tasks, or too few tasks for the cores. */
public final class PartitionBytes extends Rule {
  static final String NAME = "spark.sql.files.maxPartitionBytes";
  static final String LEAST = "spark.sql.files.minPartitionNum";

  /**
   * The stage that reads most.
   *
   * @param cores how many tasks run at a time
   */
  record Facts(Stages.Scan scan, double cores, long maxPartitionBytes, long rowGroup) {
    static Facts of(Evidence evidence) {
      JobSettings settings = evidence.settings();
      return new Facts(
          Stages.of(evidence).scan(),
          evidence.cores(Executors.of(evidence.table("executors")).cores())
              / settings.coresOfTask(),
          settings.size(settings.spark(NAME), Limits.PARTITION_DEFAULT),
          settings.size(settings.hadoop(RowGroupSize.BLOCK), Limits.ROW_GROUP_DEFAULT));
    }

    double emptyPercent() {
      return 100.0 * scan.emptyTasks() / Math.max(1, scan.tasks());
    }

    double waves() {
      return scan.tasks() / cores;
    }

    boolean isCutTooFine() {
      return emptyPercent() >= Limits.EMPTY_TASKS_PERCENT && maxPartitionBytes < rowGroup;
    }

    boolean areTooMany() {
      return waves() > Limits.TASKS_A_CORE_MAX && scan.taskMedianMs() < Limits.SHORT_TASK_MS;
    }

    /** No task reads so fast: what is known are the sizes of files of which it read a part. */
    boolean areOfWholeFiles() {
      return scan.taskMedianMs() > 0
          && (double) scan.bytes() / scan.tasks() / scan.taskMedianMs()
              > Limits.TASK_BYTES_A_MS_MAX;
    }

    boolean areTooFew() {
      return waves() < Limits.WAVES_MIN;
    }

    /**
     * Returns the recommended size: whole row groups, and small enough for a few waves of tasks.
     */
    long best() {
      double aTask = aTask();
      double best =
          Math.min(
              Math.min((double) Math.max(Limits.PARTITION_DEFAULT, rowGroup), aTask),
              Limits.PARTITION_MAX);
      if (areTooMany()) {
        best = Math.min(aTask, Limits.PARTITION_MAX);
      }
      return Math.max(1, Math.round(best / rowGroup)) * rowGroup;
    }

    /**
     * Returns the bytes of a task in a few waves of tasks. Little data is read in one wave: each
     * task costs some requests before its first byte.
     */
    private double aTask() {
      double inWaves = scan.bytes() / (Limits.WAVES_WANTED * cores);
      double atOnce = Math.min(Limits.PARTITION_DEFAULT, scan.bytes() / cores);
      return Math.max(inWaves, atOnce);
    }

    /** Returns how many tasks could get a row group each. */
    long rowGroups() {
      return scan.bytes() / rowGroup;
    }
  }

  public PartitionBytes() {
    super(
        new Label("R10", "partition-size", "size of the partitions that tasks read"),
        "Spark's FilePartition; AWS, Optimizing performance of Apache Spark workloads on Amazon S3",
        List.of("totals", "stages", "executors"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.scan().tasks() > 0 && facts.cores() > 0 && facts.scan().bytes() == 0) {
      return lacking(
          LogKind.EVENT_LOG,
          "The event log does not tell the size of the files that stage %d read, as Spark's own"
              + " scan of files does; another one, as of RAPIDS or of a data source, has none.",
          facts.scan().id());
    }
    if (facts.scan().tasks() == 0 || facts.cores() <= 0 || facts.scan().bytes() == 0) {
      return lacking(
          LogKind.EVENT_LOG,
          "This rule needs a stage that reads files, the size of these files and the number of"
              + " cores. A Spark event log has all three; --cores sets the number of cores.");
    }
    if (facts.areOfWholeFiles()) {
      return lacking(
          LogKind.EVENT_LOG,
          "The log tells the size of whole files (%s for %s), of which the tasks read a part: it"
              + " does not show how much.",
          Amounts.bytes(facts.scan().bytes()),
          Counted.of(facts.scan().tasks(), "task"));
    }
    if (facts.areTooFew()) {
      return moreTasks(facts, settings);
    }
    long best = facts.best();
    boolean isSeen = facts.isCutTooFine() || facts.areTooMany();
    boolean spills = facts.scan().spilledBytes() >= Limits.SPILL_MIN;
    boolean helps = best > facts.maxPartitionBytes() && !spills;
    Draft draft = doIf(isSeen && helps);
    draft.note(seen(facts));
    if (!isSeen || !helps) {
      return draft
          .because(
              isSeen && spills
                  ? "But tasks that read files spilled %s, and larger partitions would spill more."
                  : isSeen
                      ? "A partition size that is a multiple of the row group size (%s) would not"
                          + " improve these numbers."
                      : "The partition size of %s suits this stage.",
              Amounts.bytes(
                  isSeen && spills
                      ? facts.scan().spilledBytes()
                      : isSeen ? facts.rowGroup() : facts.maxPartitionBytes()))
          .leave(Confidence.MEDIUM);
    }
    return draft
        .change(settings.change(Target.SPARK, NAME, "128 MiB", Long.toString(best)))
        .effect(
            Confidence.MEDIUM,
            facts.isCutTooFine()
                ? facts.emptyPercent() * Limits.EMPTY_TASK_COST
                : Limits.PARTITION_GAIN_PERCENT,
            "fewer tasks that need more time to start than to do their work")
        .risk(
            "a task's memory grows with its partition; in a test by AWS, partitions of more than"
                + " 512 MiB made a job slower")
        .verify("tasks of the stage, their median time, tasks without rows, stage time")
        .done();
  }

  private static String seen(Facts facts) {
    return String.format(
        Locale.ROOT,
        "Stage %d reads %s in %s. At most %,.0f tasks can run at the same time, so the stage runs"
            + " in %.1f waves. The median task takes %s; %.0f %% of the tasks had no rows.",
        facts.scan().id(),
        Amounts.bytes(facts.scan().bytes()),
        Counted.of(facts.scan().tasks(), "task"),
        facts.cores(),
        facts.waves(),
        Amounts.duration(facts.scan().taskMedianMs()),
        facts.emptyPercent());
  }

  /**
   * Smaller partitions are no remedy where cores have no task: Spark itself cuts the input by the
   * cores it knows of when it plans, which may be few. A task needs a row group to have rows.
   */
  private Optional<Advice> moreTasks(Facts facts, JobSettings settings) {
    long wanted = (long) Math.ceil(facts.cores());
    Change more = more(facts, wanted, settings);
    boolean canBeMore = facts.rowGroups() >= wanted && isMore(more, facts, settings);
    Draft draft = benchmarkIf(canBeMore).note(seen(facts));
    if (!canBeMore) {
      return draft
          .because(
              facts.rowGroups() < wanted
                  ? "The input has only about %,d row groups of %s, so more tasks would not help: a"
                      + " task without a row group has no rows."
                  : "The input has %,d row groups of %s. Smaller partitions would not help: the"
                      + " files cannot be split, or there are too few of them.",
              facts.rowGroups(),
              Amounts.bytes(facts.rowGroup()))
          .leave(Confidence.MEDIUM);
    }
    return draft
        .because(
            "Spark splits the input according to the number of cores that the application has when"
                + " the scan is planned. Compressed text cannot be split.")
        .change(more)
        .effect(Confidence.LOW, Limits.PARTITION_GAIN_PERCENT, "work for all cores")
        .risk("more requests: each task sends a few requests before it reads its first byte")
        .verify("tasks of the stage, tasks without rows, stage time")
        .done();
  }

  private static boolean isMore(Change change, Facts facts, JobSettings settings) {
    long next = Long.parseLong(change.next());
    return change.name().equals(NAME)
        ? next < facts.maxPartitionBytes()
        : next > settings.number(LEAST).orElse(0L);
  }

  private static Change more(Facts facts, long wanted, JobSettings settings) {
    if (settings.isAtLeast(3, 1)) {
      return settings.change(
          Target.SPARK,
          LEAST,
          "the number of cores when the scan is planned",
          Long.toString(wanted));
    }
    return settings.change(
        Target.SPARK,
        NAME,
        "128 MiB",
        Long.toString(Math.max(facts.rowGroup(), facts.scan().bytes() / wanted)));
  }
}
