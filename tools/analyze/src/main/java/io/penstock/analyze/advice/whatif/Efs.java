/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

/**
 * The throughput of Amazon EFS in its bursting mode, by its size. Source: AWS, "Amazon EFS
 * performance": 50 KiB/s for each GiB and at least 1 MiB/s; bursts of 100 MiB/s, from 1 TiB on 100
 * MiB/s for each TiB.
 */
public record Efs(double gib) {
  private static final double KIB_A_SECOND_PER_GIB = 50;
  private static final double BASELINE_MIN_MIB = 1;
  private static final double BURST_MIB_PER_TIB = 100;
  private static final int MINUTES_A_DAY = 1_440;

  public Efs {
    if (!(gib >= 0)) {
      throw new IllegalArgumentException("a size must not be negative, got " + gib);
    }
  }

  /** MiB/s that it always carries. */
  public double baseline() {
    return Math.max(BASELINE_MIN_MIB, gib * KIB_A_SECOND_PER_GIB / 1024);
  }

  /** MiB/s while it has credits. */
  public double burst() {
    return BURST_MIB_PER_TIB * Math.max(1, gib / 1024);
  }

  /** Minutes a day for which the credits of the day last. */
  public double burstMinutesADay() {
    return Math.min(MINUTES_A_DAY, MINUTES_A_DAY * baseline() / burst());
  }

  /** The size in GiB whose baseline is a rate in MiB/s. */
  public static double gibFor(double mibASecond) {
    return mibASecond * 1024 / KIB_A_SECOND_PER_GIB;
  }
}
