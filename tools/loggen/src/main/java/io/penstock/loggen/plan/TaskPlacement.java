/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import io.penstock.loggen.chance.Apportionment;
import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import java.util.Arrays;

/**
 * Assigns files to tasks, and tasks to the slots of 200 nodes. Tasks run in waves. The tasks of a
 * wave take turns with the files of the wave.
 */
public final class TaskPlacement {
  public static final int NODES = 200;
  public static final int CORES = 8;
  public static final String DRIVER_ADDRESS = "10.0.0.10";

  private static final double SKEW = 1.1;

  private final Plan plan;
  private final int slots;

  /** The cumulative share of the files, up to and including each prefix. */
  private final double[] prefixShares;

  /** Creates the fleet that runs a plan. */
  public TaskPlacement(Plan plan) {
    this.plan = plan;
    this.slots = Math.min(plan.tasks(), NODES * CORES);
    this.prefixShares = zipf(plan.options().prefixes());
  }

  private static double[] zipf(int n) {
    double[] shares = new double[n];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += StrictMath.pow(i + 1, -SKEW);
      shares[i] = sum;
    }
    for (int i = 0; i < n; i++) {
      shares[i] /= sum;
    }
    return shares;
  }

  /** Returns the number of tasks that run at the same time. */
  public int slots() {
    return slots;
  }

  /** Returns the task that writes a file. */
  public int task(long file) {
    int wave = wave(file);
    long first = firstFile(wave);
    return wave * slots + (int) ((file - first) % tasksOf(wave));
  }

  /** Returns the position of a file among the files of its task. */
  public int turn(long file) {
    int wave = wave(file);
    return (int) ((file - firstFile(wave)) / tasksOf(wave));
  }

  /** Returns the node that runs a task. */
  public int node(int task) {
    return task % slots % NODES;
  }

  /** Returns the IP address of a node. */
  public static String address(int node) {
    return "10.0." + (1 + node / 100) + "." + (10 + node % 100);
  }

  /** Returns the task that a read belongs to. Only the first wave reads, before it writes. */
  public int readerOf(long read) {
    long bits = Mix.of(plan.options().seed(), Purpose.READ, read);
    return (int) Long.remainderUnsigned(bits, slots);
  }

  /** Returns the prefix that a file is written under. */
  public int prefix(long file) {
    if (prefixShares.length == 1) {
      return 0;
    }
    double place = Mix.unit(Mix.of(plan.options().seed(), Purpose.PREFIX, file));
    int found = Arrays.binarySearch(prefixShares, place);
    return Math.min(prefixShares.length - 1, found >= 0 ? found + 1 : -found - 1);
  }

  private int wave(long file) {
    int wave = (int) (file * plan.tasks() / plan.files() / slots);
    // The division rounds down, so its result can be one wave too low or too high.
    while (file < firstFile(wave)) {
      wave--;
    }
    while (file >= firstFile(wave + 1)) {
      wave++;
    }
    return wave;
  }

  private long firstFile(int wave) {
    long tasksBefore = Math.min(plan.tasks(), (long) wave * slots);
    return Apportionment.before(tasksBefore, plan.files(), plan.tasks());
  }

  private int tasksOf(int wave) {
    return Math.min(slots, plan.tasks() - wave * slots);
  }
}
