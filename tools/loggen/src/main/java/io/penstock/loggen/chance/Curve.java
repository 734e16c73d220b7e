/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import java.util.Arrays;

/** Distributes events over time. The rate is constant within each of many short steps. */
public final class Curve {
  private final double stepMillis;

  /** The share of all events that lies before the start of each step, and 1 at the end. */
  private final double[] before;

  /** Creates a curve from the rates of steps of equal length. */
  Curve(double stepMillis, double[] rates) {
    this.stepMillis = stepMillis;
    this.before = new double[rates.length + 1];
    double sum = Arrays.stream(rates).sum();
    if (!(sum > 0)) {
      throw new IllegalArgumentException("a curve needs a rate above 0 somewhere");
    }
    double done = 0;
    for (int i = 0; i < rates.length; i++) {
      done += rates[i];
      before[i + 1] = done / sum;
    }
    before[rates.length] = 1;
  }

  /** Returns the share of all events that lies before this time. */
  public double shareBefore(double millis) {
    double place = Math.max(0, millis / stepMillis);
    int step = (int) place;
    return step >= before.length - 1
        ? 1
        : before[step] + (place - step) * (before[step + 1] - before[step]);
  }

  /** Returns the time before which this share of all events lies. */
  public double millisAt(double share) {
    int found = Arrays.binarySearch(before, share);
    int step = found >= 0 ? found : -found - 2;
    if (step >= before.length - 1) {
      return (before.length - 1) * stepMillis;
    }
    double height = before[step + 1] - before[step];
    return (step + (height > 0 ? (share - before[step]) / height : 0)) * stepMillis;
  }
}
