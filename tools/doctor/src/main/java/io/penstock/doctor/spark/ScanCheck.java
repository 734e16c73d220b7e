/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Finds scan settings that have no effect in these releases, or that conflict with each other (R7
 * to R10).
 */
public record ScanCheck(Job job) implements Check {
  private static final String ALLOCATION = "parquet.read.allocation.size";
  private static final String VECTORED = "parquet.hadoop.vectored.io.enabled";
  private static final String SPLIT = "spark.sql.files.maxPartitionBytes";
  private static final String ROW_GROUP = "parquet.block.size";
  private static final long LARGE_SPLIT = 1L << 30;

  @Override
  public String name() {
    return "scans";
  }

  /** Returns true if the setting has no effect: since Parquet 1.16, vectored reads ignore it. */
  static boolean isAllocationSizeUseless(Job job, String set) {
    return set.equals(ALLOCATION)
        && !job.parquet().isBefore(1, 16, 0)
        && job.effective(VECTORED).equalsIgnoreCase("true");
  }

  @Override
  public List<CheckOutcome> look() {
    List<CheckOutcome> outcomes = new ArrayList<>();
    if (job.given().get(ALLOCATION).isPresent() && isAllocationSizeUseless(job, ALLOCATION)) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              ALLOCATION + " has no effect: Parquet " + job.parquet() + " uses vectored IO",
              "Remove it. In S3A, fs.s3a.vectored.read.max.merged.size limits the size of GETs;"
                  + " Penstock chooses the size itself."));
    }
    split(outcomes);
    if (outcomes.isEmpty()) {
      outcomes.add(
          CheckOutcome.pass(
              name(),
              "splits of %s, row groups of %s, vectored IO %s"
                  .formatted(job.effective(SPLIT), job.effective(ROW_GROUP), vectored())));
    }
    return outcomes;
  }

  private String vectored() {
    return job.effective(VECTORED).equalsIgnoreCase("true") ? "on" : "off";
  }

  private void split(List<CheckOutcome> outcomes) {
    OptionalLong split = Quantity.bytes(job.effective(SPLIT));
    OptionalLong rowGroup = Quantity.bytes(job.effective(ROW_GROUP));
    if (split.isEmpty() || rowGroup.isEmpty()) {
      return;
    }
    if (split.getAsLong() < rowGroup.getAsLong()) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              "%s=%s is less than a row group of %s: some tasks get no rows"
                  .formatted(SPLIT, job.effective(SPLIT), job.effective(ROW_GROUP)),
              "Set it to a multiple of %s, such as %d."
                  .formatted(ROW_GROUP, rowGroup.getAsLong())));
    } else if (split.getAsLong() > LARGE_SPLIT) {
      outcomes.add(
          CheckOutcome.warn(
              name(),
              "%s=%s gives few, long tasks; when one fails, all its work is repeated"
                  .formatted(SPLIT, job.effective(SPLIT)),
              "Set 128m to 512m."));
    }
  }
}
