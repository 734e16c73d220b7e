/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

/**
 * The throughput of an Amazon EFS file system in bursting mode, which depends on its size. Source:
 * AWS, "Amazon EFS performance": 50 KiB/s for each GiB and at least 1 MiB/s; bursts of 100 MiB/s,
 * and from 1 TiB on 100 MiB/s for each TiB.
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

  /** Returns the rate in MiB/s that the file system always sustains. */
  public double baseline() {
    return Math.max(BASELINE_MIN_MIB, gib * KIB_A_SECOND_PER_GIB / 1024);
  }

  /** Returns the rate in MiB/s that is possible while there are credits. */
  public double burst() {
    return BURST_MIB_PER_TIB * Math.max(1, gib / 1024);
  }

  /** Returns the minutes of bursts in a day for which one day's credits are enough. */
  public double burstMinutesADay() {
    return Math.min(MINUTES_A_DAY, MINUTES_A_DAY * baseline() / burst());
  }

  /** Returns the size in GiB that has this baseline rate in MiB/s. */
  public static double gibFor(double mibASecond) {
    return mibASecond * 1024 / KIB_A_SECOND_PER_GIB;
  }
}
