/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.Stages;
import io.penstock.analyze.analysis.JobLimits;
import io.penstock.tables.Table;
import java.time.Duration;
import java.time.Instant;

/**
 * The files that were written, as far as logs tell, and what was throttled meanwhile.
 *
 * @param medianBytes 0 if only the mean is known
 * @param meanBytes 0 if the logs have no sizes
 * @param cores of the job; 0 if they are not known
 * @param directories that files were written to: each has one file at least; 0 if those of this job
 *     are not known
 * @param told what Spark's event log has, of this job alone
 * @param isOfPart true if less was sent than a prefix of Amazon S3 takes: the published gains are
 *     of another load
 * @param areOfSeveral true if several programs may have written them
 */
record WrittenFiles(
    long files,
    double writesPerFile,
    long medianBytes,
    double meanBytes,
    double throttledPercent,
    double cores,
    long directories,
    Told told,
    boolean isOfPart,
    boolean areOfSeveral) {
  WrittenFiles(
      long files,
      double writesPerFile,
      long medianBytes,
      double meanBytes,
      double throttledPercent,
      double cores,
      long directories,
      Told told) {
    this(
        files,
        writesPerFile,
        medianBytes,
        meanBytes,
        throttledPercent,
        cores,
        directories,
        told,
        false,
        false);
  }

  static WrittenFiles of(Evidence evidence) {
    Told told = Told.of(evidence);
    Table files = evidence.table("files");
    long count = files.count(0, "files");
    long measured = files.count(0, "measured");
    Table load = evidence.table("load");
    long writes = load.count(0, "writes");
    boolean areOfDrives =
        evidence.table("drives").count(0, "requests") > load.count(0, "throttled") / 2;
    // A bucket's log has the files of all who write to it; the job's own log has its own.
    boolean isTold = count > 0 && told.files() > 0 && told.bytes() > 0;
    return new WrittenFiles(
        isTold ? told.files() : count,
        count == 0 ? 0 : (double) files.count(0, "writes") / count,
        isTold ? 0 : files.count(0, "median_bytes"),
        isTold ? told.mean() : measured == 0 ? 0 : (double) files.count(0, "bytes") / measured,
        writes == 0 || areOfDrives ? 0 : 100.0 * load.count(0, "throttled_writes") / writes,
        evidence.cores(Executors.of(evidence.table("executors")).cores()),
        directories(told, isTold, files),
        told,
        load.number(0, "peak_writes") < Limits.LIMIT_SHARE_MIN * Limits.PREFIX_WRITES,
        !isTold && areOfSeveral(evidence));
  }

  /** Returns true if more than one program sent the requests that are judged. */
  private static boolean areOfSeveral(Evidence evidence) {
    Table sharers = evidence.table("sharers");
    int many = 0;
    for (int row = 0; row < sharers.rows().size(); row++) {
      boolean isNamed = !sharers.text(row, "who").equals(Load.UNKNOWN);
      boolean sentMuch =
          sharers.count(row, "requests") >= Limits.SHARER_MIN * sharers.sum("requests");
      many += isNamed && sentMuch ? 1 : 0;
    }
    return many > 1 && evidence.options().own().isEmpty();
  }

  private static long directories(Told told, boolean isTold, Table files) {
    if (told.mostParts() > 0) {
      return told.mostParts();
    }
    return isTold && told.files() < files.count(0, "files") ? 0 : files.count(0, "directories");
  }

  /**
   * Returns the number of files to write. They are of the target size, or smaller if cores would
   * have no file to write otherwise, but then still large enough. Each directory and each stage
   * that writes has one at least.
   */
  long wanted() {
    double bytes = meanBytes * files;
    double forCores = Math.min(cores, Math.floor(bytes / Limits.LARGE_ENOUGH_FILE));
    long large = (long) Math.max(1, Math.max(Math.ceil(bytes / Limits.TARGET_FILE), forCores));
    return Math.max(large, least());
  }

  /** Returns how many files there are at least, whatever is done before each write. */
  private long least() {
    return Math.min(files, Math.max(places(), told.stages()));
  }

  /** Returns the number of directories, for each stage that wrote to them if that is known. */
  long places() {
    return Math.max(directories, told.parts());
  }

  /** Returns true if fewer partitions before each write would not make far fewer files. */
  boolean areBound() {
    return 2 * least() > files;
  }

  /** Returns true if cluster and throttling are about those of the published run. */
  boolean areComparable() {
    return isNear(cores, Limits.PUBLISHED_CORES)
        && isNear(throttledPercent, Limits.PUBLISHED_THROTTLED_PERCENT);
  }

  private static boolean isNear(double value, double published) {
    return value >= published / 2 && value <= published * 2;
  }

  boolean areSmall() {
    double size = medianBytes > 0 ? medianBytes : meanBytes;
    return size > 0 && size < JobLimits.SMALL_FILE;
  }

  boolean areManyAndSmall() {
    return files >= JobLimits.MANY_FILES && areSmall();
  }

  /** Returns true if there would be far fewer files of the wanted size, as far as is known. */
  boolean wouldBeFewer() {
    return meanBytes == 0 || areBound() || 2 * wanted() <= files;
  }

  boolean isWasteful() {
    // A larger file has many parts, so more requests for a file are no waste.
    return writesPerFile >= Limits.WRITES_A_FILE && meanBytes < Limits.LARGE_ENOUGH_FILE;
  }

  String size() {
    if (medianBytes > 0) {
      return " (median " + Amounts.bytes(medianBytes) + ")";
    }
    return meanBytes > 0 ? " (mean " + Amounts.bytes((long) meanBytes) + ")" : "";
  }

  /**
   * What Spark counted of the files that a job wrote.
   *
   * @param stages that wrote files
   * @param parts directories of dynamic partitions, for each stage; 0 if there are none
   * @param mostParts the most of a stage
   * @param writingMs the time in which any of these stages ran
   * @param elapsedMs of the job; 0 if its log has no end
   */
  record Told(
      long files,
      long bytes,
      long stages,
      long parts,
      long mostParts,
      double writingMs,
      double elapsedMs) {
    static final Told NOTHING = new Told(0, 0, 0, 0, 0, 0, 0);

    static Told of(Evidence evidence) {
      Stages stages = Stages.of(evidence);
      Table app = evidence.table("app");
      return new Told(
          stages.filesWritten(),
          stages.filesWritten() > 0 ? stages.writtenBytes() : stages.outputBytes(),
          stages.writingStages(),
          stages.partsWritten(),
          stages.mostParts(),
          writingMs(evidence.table("writing")),
          app.isEmpty() ? 0 : app.number(0, "elapsed_ms"));
    }

    private static double writingMs(Table stages) {
      double all = 0;
      Instant until = Instant.MIN;
      for (int row = 0; row < stages.rows().size(); row++) {
        if (stages.at(row, "submitted") instanceof Instant start
            && stages.at(row, "completed") instanceof Instant end
            && end.isAfter(until)) {
          all += Duration.between(start.isAfter(until) ? start : until, end).toMillis();
          until = end;
        }
      }
      return all;
    }

    double mean() {
      return (double) bytes / files;
    }

    boolean areManyAndSmall() {
      // Some committers report no bytes: then nothing is known of the sizes.
      return files >= JobLimits.MANY_FILES && bytes > 0 && mean() < JobLimits.SMALL_FILE;
    }

    /** Returns the share of the job's time in which files were written; 0 if it is not known. */
    double writingPercent() {
      return elapsedMs > 0 ? Math.min(100, 100 * writingMs / elapsedMs) : 0;
    }
  }
}
