/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import java.util.SplittableRandom;

/**
 * A piece of the job. Each task has its own random stream. Its latencies and the places of its
 * files are therefore the same under every policy.
 */
final class Task {
  private final int files;
  private final SplittableRandom latency;
  private final long places;
  private final double slowness;

  Task(int files, double spread, SplittableRandom chance) {
    this.files = files;
    this.latency = chance.split();
    this.places = chance.nextLong();
    this.slowness = 1 + spread * (2 * chance.nextDouble() - 1);
  }

  int files() {
    return files;
  }

  SplittableRandom latency() {
    return latency;
  }

  double slowness() {
    return slowness;
  }

  /** Returns the place of a file's key. All requests of the file use the same place. */
  int place(int file) {
    long mixed = places + file * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return (int) ((mixed ^ (mixed >>> 31)) >>> 33);
  }
}
