/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes table T19: the effect that larger files, single PUTs or AIMD would have had, based on
 * the published benchmark.
 */
public final class FileWhatIf {
  public static final Label LABEL =
      new Label("T19", "what-if-larger-files", "What larger files or AIMD would have done");

  /** The query for files and their requests. It groups all writes by their keys. */
  public static final Analysis FILES = Analysis.named(FileWhatIf.class, "files.sql");

  /** The query for requests, throttled requests and capacity. */
  public static final Analysis LOAD = Analysis.named(FileWhatIf.class, "load.sql");

  private static final double MIB = 1 << 20;
  // A judgement: each size doubles, from half of S3A's default part to the row group of the EKS
  // article.
  private static final int[] SIZES_MIB = {32, 64, 128, 256, 512};
  // The requests that create an upload, upload a part and complete the upload.
  private static final int WRITES_OF_AN_UPLOAD = 3;
  // The default part size of S3A (fs.s3a.multipart.size). Each further 64 MiB is one more part.
  private static final int PART_MIB = 64;
  // In the last published pair, 0.56 % were throttled with AIMD; in the others, at most 0.9 %.
  private static final double AIMD_THROTTLED_PERCENT = 0.6;
  private static final List<Column> COLUMNS =
      Column.list(
          "scenario text, files count, writes count, throttled percent, time_change percent, basis"
              + " text");

  private FileWhatIf() {}

  /**
   * Runs the queries and returns the table.
   *
   * @throws IOException when a query fails; see {@link QueryEngine#rows}
   */
  public static Table table(QueryEngine engine) throws IOException {
    return table(FILES.run(engine), LOAD.run(engine));
  }

  /** Returns the table; it is empty if no files were written. */
  public static Table table(Table files, Table load) {
    List<List<Object>> rows = new ArrayList<>();
    long count = files.isEmpty() ? 0 : files.count(0, "files");
    if (count > 0) {
      long writes = load.count(0, "writes");
      double throttled = 100.0 * load.count(0, "throttled_writes") / Math.max(1, writes);
      rows.add(row("as it was", count, writes, throttled, 0.0, "these logs"));
      if (throttled > 0) {
        rows.add(aimd(count, load, throttled));
      }
      if (files.count(0, "measured") > 0) {
        sizes(rows, files, count);
      }
    }
    return new Table(LABEL, COLUMNS, rows);
  }

  private static List<Object> aimd(long files, Table load, double throttled) {
    long served = load.count(0, "writes") - load.count(0, "throttled_writes");
    return row(
        "AIMD",
        files,
        served,
        AIMD_THROTTLED_PERCENT,
        Published.aimdPercent(throttled),
        "interpolated between published runs; with AIMD, at most 0.9 % were throttled");
  }

  private static void sizes(List<List<Object>> rows, Table files, long count) {
    long bytes = files.count(0, "bytes");
    double mean = bytes / MIB / files.count(0, "measured");
    if (mean < PART_MIB && files.count(0, "single_put") < count) {
      rows.add(row("one PUT a file", count, count, null, null, "arithmetic"));
    }
    for (int size : SIZES_MIB) {
      if (size > mean) {
        long fewer = (long) Math.ceil(bytes / MIB / size);
        long parts = Math.max(1, (long) Math.ceil(size / (double) PART_MIB));
        long writes = fewer * (WRITES_OF_AN_UPLOAD - 1 + parts);
        rows.add(
            row(
                size + " MiB files",
                fewer,
                writes,
                Published.throttledPercent(size),
                timePercent(mean, size),
                Published.covers(mean) && Published.covers(size)
                    ? "interpolated between published runs"
                    : "nearest published run"));
      }
    }
  }

  /**
   * Returns by how many percent the time of the published job changes with the size of its files. A
   * negative value is a shorter time.
   */
  public static double timePercent(double fromMib, double toMib) {
    return (Published.seconds(toMib) / Published.seconds(fromMib) - 1) * 100;
  }

  private static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }
}
