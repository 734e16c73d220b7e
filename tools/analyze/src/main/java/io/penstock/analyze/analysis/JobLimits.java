/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

/**
 * The values from which on a figure of a job is worth a word, the same for the overview, the page
 * and the rules of advice. The table stage-problems has those of skew in its SQL.
 */
public final class JobLimits {
  // AWS, EMR best practices, "EMRFS - AIMD Retry Strategy": files under 10 MiB are small.
  public static final long SMALL_FILE = 10L << 20;

  /** Fewer files cost little, however small they are. */
  public static final int MANY_FILES = 100;

  // Judgements, as Spark's own for skewed partitions: five times the median, and worth the work.
  public static final double SKEW_FACTOR = 5;
  public static final double SKEW_MS_MIN = 10_000;

  // Judgements: half of what is paid for does nothing; Spark's UI marks a tenth of collection too.
  public static final double IDLE_PERCENT = 50;
  public static final double GC_PERCENT = 10;

  private JobLimits() {}
}
