/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.FileWhatIf;
import io.penstock.tables.Label;
import io.penstock.tables.format.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rule R3: advises fewer and larger files, which remove the cause of most throttling. */
public final class SmallFiles extends Rule {
  private static final String RECORDS = "spark.sql.files.maxRecordsPerFile";

  public SmallFiles() {
    super(
        new Label("R3", "file-size", "write fewer, larger files"),
        "AWS EMR best practices, EMRFS AIMD: runs 1 and 9 of the benchmark",
        List.of(
            "files",
            "load",
            "executors",
            "totals",
            "stages",
            "writing",
            "app",
            "drives",
            "sharers"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(WrittenFiles.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(WrittenFiles facts, JobSettings settings) {
    if (facts.files() == 0 && facts.told().files() > 0) {
      return told(facts, settings);
    }
    if (facts.files() == 0) {
      if (facts.told().bytes() > 0) {
        return lacking(
            LogKind.ACCESS_LOG,
            "Tasks wrote %s, but Spark did not count the files. An S3 server access log of the"
                + " bucket that the job writes to shows them.",
            Amounts.bytes(facts.told().bytes()));
      }
      return lacking(
          LogKind.ACCESS_LOG,
          "These logs show no written files. The S3 server access log of the bucket that the job"
              + " writes to shows them.");
    }
    boolean isThrottled = facts.throttledPercent() > Limits.THROTTLED_PERCENT;
    boolean isDue =
        isThrottled
            && facts.files() >= Limits.FILES_MIN
            && (facts.areSmall() || facts.isWasteful())
            && facts.wouldBeFewer();
    if (!isThrottled && facts.areManyAndSmall()) {
      return costly(
          facts, settings, "%,d files%s were written.".formatted(facts.files(), facts.size()));
    }
    Draft draft = doIf(isDue);
    draft.because(
        "%s%s needed %.2f write requests each, not counting failed requests; %.2f %% of the write"
            + " requests were throttled.",
        Counted.of(facts.files(), "file"),
        facts.size(),
        facts.writesPerFile(),
        facts.throttledPercent());
    return isDue ? advise(draft, facts, settings) : leave(draft, isThrottled);
  }

  /** Judges by the event log alone, which does not show whether S3 throttled. */
  private Optional<Advice> told(WrittenFiles facts, JobSettings settings) {
    WrittenFiles.Told told = facts.told();
    String seen =
        "%s of %s were written, according to Spark's event log."
            .formatted(Counted.of(told.files(), "file"), Amounts.bytes((long) told.mean()));
    if (!told.areManyAndSmall()) {
      return lacking(
          LogKind.ACCESS_LOG,
          "%s An S3 server access log of the bucket shows whether S3 throttled these writes.",
          seen);
    }
    WrittenFiles asFiles =
        new WrittenFiles(
            told.files(), 0, 0, told.mean(), 0, facts.cores(), facts.directories(), told);
    return costly(asFiles, settings, seen);
  }

  /** Advises against many small files: they cost their readers, throttled or not. */
  private Optional<Advice> costly(WrittenFiles facts, JobSettings settings, String seen) {
    WrittenFiles.Told told = facts.told();
    Draft draft = draft(AdviceVerdict.DO).note(seen);
    if (told.writingPercent() > 0) {
      draft.because(
          "The stages that wrote files took %s; the whole job took %s.",
          Amounts.duration(told.writingMs()), Amounts.duration(told.elapsedMs()));
    }
    return draft
        .because(
            "Writing a file needs one to three requests, and each reader of the file sends more.")
        .changes(changes(facts, settings))
        .effect(
            Confidence.LOW,
            Math.max(
                Limits.FILES_GAIN_PERCENT,
                told.writingPercent() * (1 - (double) facts.wanted() / facts.files())),
            "fewer requests for this job and for all jobs that read its files%s",
            told.writingPercent() > 0
                ? "; this job writes during %.0f %% of its time, so fewer files cannot save more than that share of its time"
                    .formatted(told.writingPercent())
                : "")
        .risk("larger tasks and less parallelism in the last stage; watch memory and spill")
        .verify("files written, time of the last stage, requests of readers")
        .done();
  }

  private Optional<Advice> leave(Draft draft, boolean isThrottled) {
    return draft
        .because(
            isThrottled
                ? "There are few files, or those of the recommended size would not be far fewer, so"
                    + " the number of files is not the cause of the throttling."
                : "Too few writes are throttled for the number of files to matter.")
        .leave(Confidence.HIGH);
  }

  private Optional<Advice> advise(Draft draft, WrittenFiles facts, JobSettings settings) {
    double meanMib = facts.meanBytes() / Amounts.MIB;
    double targetMib = (double) Limits.TARGET_FILE / Amounts.MIB;
    double percent = meanMib > 0 ? FileWhatIf.timePercent(meanMib, targetMib) : 0;
    boolean isComparable = facts.areComparable();
    return draft
        .changes(changes(facts, settings))
        .effect(
            isComparable ? Confidence.HIGH : Confidence.LOW,
            isComparable ? Math.max(0, -percent) : facts.throttledPercent(),
            meanMib == 0
                ? "A published job took 285 s instead of 1,287 s when it wrote 21,568 files instead"
                    + " of 579,158."
                : isComparable
                    ? "%+.0f %% time, estimated from published runs. In these runs, files of 133"
                        + " MiB instead of 5.2 MiB meant 21,568 files instead of 579,158, 0.15 M"
                        + " requests instead of 2.30 M, and 285 s instead of 1,287 s."
                    : facts.isOfPart()
                        ? "fewer requests to a store that throttles them"
                        : "less time; in a published job of 1,600 cores with 23 %% of its writes"
                            + " throttled, files of 133 MiB, instead of files as small as in this"
                            + " job, changed the time by %+.0f %%. The gain of other jobs can be"
                            + " larger or smaller.",
            percent)
        .risk("larger tasks and less parallelism in the last stage; watch memory and spill")
        .verify("number of files, writes per file, throttled share of writes, elapsed time")
        .done();
  }

  private static List<Change> changes(WrittenFiles facts, JobSettings settings) {
    List<Change> changes = new ArrayList<>();
    boolean isCapped =
        settings.spark(RECORDS).filter(value -> value.strip().matches("[1-9]\\d*")).isPresent();
    if (isCapped) {
      changes.add(new Change(Target.SPARK, RECORDS, settings.spark(RECORDS).get(), "0"));
    }
    changes.add(new Change(Target.CODE, "files written", now(facts), next(facts)));
    return changes;
  }

  private static String now(WrittenFiles facts) {
    String files = String.format(Locale.ROOT, "%,d", facts.files());
    return facts.meanBytes() > 0
        ? files + " of " + Amounts.bytes((long) facts.meanBytes()) + " on average"
        : files;
  }

  private static String next(WrittenFiles facts) {
    if (facts.meanBytes() == 0) {
      return "files of " + Amounts.bytes(Limits.TARGET_FILE);
    }
    if (facts.areOfSeveral()) {
      return "files of %s (several programs wrote these; --own NAME judges those of one)"
          .formatted(Amounts.bytes(Limits.TARGET_FILE));
    }
    if (facts.areBound()) {
      boolean areDirectories = facts.directories() >= facts.told().stages();
      return "%s (each of %s has at least one file), or compact the files afterwards"
          .formatted(
              areDirectories ? "coarser partitions" : "a longer trigger interval or fewer writes",
              areDirectories
                  ? Counted.of(facts.directories(), "directory", "directories")
                  : Counted.of(facts.told().stages(), "write"));
    }
    long writes = Math.max(1, facts.told().stages());
    long wanted = facts.wanted();
    if (wanted >= facts.files()) {
      return "files of " + Amounts.bytes(Limits.TARGET_FILE);
    }
    double bytes = facts.meanBytes() * facts.files();
    String when = writes > 1 ? "each" : "the";
    long places = facts.places();
    if (places <= writes) {
      return "repartition(%d) before %s write: files of %s"
          .formatted((wanted + writes - 1) / writes, when, Amounts.bytes((long) (bytes / wanted)));
    }
    long each = (wanted + places - 1) / places;
    if (each > 1) {
      // Dividing a directory's rows by chance would lose or double some when a task is repeated.
      return "hint(\"rebalance\", the columns of partitionBy) before %s write (Spark 3.2 or later): about %s a directory of %s; their size follows spark.sql.adaptive.advisoryPartitionSizeInBytes"
          .formatted(
              when, Counted.of(each, "file"), Amounts.bytes((long) (bytes / (each * places))));
    }
    return "repartition(%d, the columns of partitionBy) before %s write: files of %s on average"
        .formatted((places + writes - 1) / writes, when, Amounts.bytes((long) (bytes / places)));
  }
}
