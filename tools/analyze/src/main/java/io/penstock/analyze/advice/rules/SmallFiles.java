/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.Verdict;
import io.penstock.analyze.advice.whatif.FileWhatIf;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rule R3: advises fewer and larger files, which remove the cause of most throttling. */
final class SmallFiles implements Rule {
  private static final String SOURCE =
      "AWS EMR best practices, EMRFS AIMD: rows 1 and 9 of its benchmark";
  private static final String RECORDS = "spark.sql.files.maxRecordsPerFile";

  /**
   * The facts about files and writes.
   *
   * @param medianBytes 0 if the logs have no sizes
   * @param meanBytes 0 if the logs have no sizes
   * @param cores of the job; 0 if they are not known
   * @param told files and bytes that Spark's event log has, when the requests are in no log
   */
  record Facts(
      long files,
      double writesPerFile,
      long medianBytes,
      double meanBytes,
      double throttledPercent,
      double cores,
      Told told) {
    static Facts of(Evidence evidence) {
      Stages stages = Stages.of(evidence.table("stages"));
      Table files = evidence.table("files");
      long count = files.count(0, "files");
      long measured = files.count(0, "measured");
      Table load = evidence.table("load");
      long writes = load.count(0, "writes");
      return new Facts(
          count,
          count == 0 ? 0 : (double) files.count(0, "writes") / count,
          files.count(0, "median_bytes"),
          measured == 0 ? 0 : (double) files.count(0, "bytes") / measured,
          writes == 0 ? 0 : 100.0 * load.count(0, "throttled_writes") / writes,
          evidence.cores(Executors.of(evidence.table("executors")).cores()),
          new Told(stages.filesWritten(), stages.writtenBytes()));
    }

    /**
     * Returns the number of files to write. They are of the target size, or smaller if cores would
     * have no file to write otherwise, but then still large enough.
     */
    long wanted() {
      double bytes = meanBytes * files;
      double forCores = Math.min(cores, Math.floor(bytes / Limits.LARGE_ENOUGH_FILE));
      return (long) Math.max(1, Math.max(Math.ceil(bytes / Limits.TARGET_FILE), forCores));
    }

    /** Returns true if the cluster is about as large as the published one. */
    boolean areCoresComparable() {
      return cores >= Limits.PUBLISHED_CORES / 2.0 && cores <= Limits.PUBLISHED_CORES * 2.0;
    }

    boolean areSmall() {
      return medianBytes > 0 && medianBytes < Limits.SMALL_FILE;
    }

    boolean areManyAndSmall() {
      return files >= Limits.MANY_FILES && areSmall();
    }

    boolean isWasteful() {
      // A larger file has many parts, so more requests for a file are no waste.
      return writesPerFile >= Limits.WRITES_A_FILE && meanBytes < Limits.LARGE_ENOUGH_FILE;
    }
  }

  /** Files that were written, and their bytes, as Spark counted them. */
  record Told(long files, long bytes) {
    static final Told NOTHING = new Told(0, 0);

    boolean areManyAndSmall() {
      // Some committers report no bytes: then nothing is known of the sizes.
      return files >= Limits.MANY_FILES && bytes > 0 && bytes / files < Limits.SMALL_FILE;
    }
  }

  @Override
  public Label label() {
    return new Label("R3", "file-size", "write fewer, larger files");
  }

  @Override
  public List<String> queries() {
    return List.of("files", "load", "executors", "stages");
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    if (facts.files() == 0 && facts.told().files() > 0) {
      return told(facts, settings);
    }
    if (facts.files() == 0) {
      return Draft.of(this, Verdict.NO_EVIDENCE)
          .because(
              "No file was written in these logs. An S3 server access log of the bucket that the"
                  + " job writes to would settle it.")
          .source(SOURCE);
    }
    boolean isThrottled = facts.throttledPercent() > Limits.THROTTLED_PERCENT;
    boolean isDue = isThrottled && (facts.areSmall() || facts.isWasteful());
    if (!isThrottled && facts.areManyAndSmall()) {
      return costly(
          facts,
          settings,
          "%,d files (median %s) were written, and nearly none of the writes was throttled."
              .formatted(facts.files(), Amounts.bytes(facts.medianBytes())));
    }
    Draft draft = Draft.of(this, isDue ? Verdict.DO : Verdict.DONT);
    draft.because(
        "%,d files%s took %.2f writes each; %.2f %% of the writes were throttled.",
        facts.files(),
        facts.medianBytes() == 0 ? "" : " (median " + Amounts.bytes(facts.medianBytes()) + ")",
        facts.writesPerFile(),
        facts.throttledPercent());
    return isDue ? advise(draft, facts, settings) : leave(draft, isThrottled);
  }

  /** From the event log alone, which does not show whether S3 throttled. */
  private Optional<Advice> told(Facts facts, JobSettings settings) {
    Told told = facts.told();
    String seen =
        "%,d files of %s were written, by Spark's event log."
            .formatted(told.files(), Amounts.bytes(told.bytes() / told.files()));
    if (!told.areManyAndSmall()) {
      return Draft.of(this, Verdict.NO_EVIDENCE)
          .because(
              "%s Whether S3 throttled their writes is in an S3 server access log of the bucket.",
              seen)
          .source(SOURCE);
    }
    Facts asFiles =
        new Facts(told.files(), 0, 0, (double) told.bytes() / told.files(), 0, facts.cores(), told);
    return costly(asFiles, settings, seen);
  }

  /** Many small files cost their readers, whether or not S3 throttles the writer. */
  private Optional<Advice> costly(Facts facts, JobSettings settings, String seen) {
    return Draft.of(this, Verdict.DO)
        .because("%s Each costs one to three requests to write, and more for each reader.", seen)
        .changes(changes(facts, settings))
        .effect(Confidence.LOW, 0, "fewer requests for this job and for all that read its files")
        .risk("larger tasks and less parallelism in the last stage; watch memory and spill")
        .verify("files written, time of the last stage, requests of readers")
        .source(SOURCE);
  }

  private Optional<Advice> leave(Draft draft, boolean isThrottled) {
    return draft
        .because(
            isThrottled
                ? "The files are large enough, so their number is not the cause."
                : "Too little is throttled for their number to matter to S3.")
        .effect(Confidence.HIGH, 0, "none")
        .source(SOURCE);
  }

  private Optional<Advice> advise(Draft draft, Facts facts, JobSettings settings) {
    double meanMib = facts.meanBytes() / Amounts.MIB;
    double targetMib = (double) Limits.TARGET_FILE / Amounts.MIB;
    double percent = meanMib > 0 ? FileWhatIf.timePercent(meanMib, targetMib) : 0;
    boolean isComparable = facts.areCoresComparable();
    return draft
        .changes(changes(facts, settings))
        .effect(
            isComparable ? Confidence.HIGH : Confidence.LOW,
            Math.max(0, -percent),
            meanMib == 0
                ? "The published job went from 1,287 to 285 s with 21,568 files instead of 579,158."
                : isComparable
                    ? "%+.0f %% time, as in the published runs with files of this size and of 133"
                        + " MiB; 579,158 files became 21,568 there: 2.30 M to 0.15 M requests,"
                        + " 1,287 to 285 s."
                    : "less time; a published job of 1,600 cores took %+.0f %% with files of 133"
                        + " MiB instead of this size. A job of another size gains another share.",
            percent)
        .risk("larger tasks and less parallelism in the last stage; watch memory and spill")
        .verify("files, writes a file, throttled share of writes, elapsed time")
        .source(SOURCE);
  }

  private static List<Change> changes(Facts facts, JobSettings settings) {
    List<Change> changes = new ArrayList<>();
    boolean isCapped =
        settings.spark(RECORDS).map(value -> !value.strip().equals("0")).orElse(false);
    if (isCapped) {
      changes.add(new Change(Target.SPARK, RECORDS, settings.spark(RECORDS).get(), "0"));
    }
    if (facts.meanBytes() > 0) {
      long wanted = facts.wanted();
      changes.add(
          new Change(
              Target.CODE,
              "files written",
              "%,d of %s".formatted(facts.files(), Amounts.bytes((long) facts.meanBytes())),
              "repartition(%d) before the write: files of %s"
                  .formatted(
                      wanted, Amounts.bytes((long) (facts.meanBytes() * facts.files() / wanted)))));
    } else {
      changes.add(
          new Change(
              Target.CODE,
              "files written",
              "%,d".formatted(facts.files()),
              "files of " + Amounts.bytes(Limits.TARGET_FILE)));
    }
    return changes;
  }
}
