/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.interleaving;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Decides everything in a schedule that is not decided by the code under test. */
public interface Choices {
  /** Returns a number from 0 to {@code bound - 1}. */
  int among(int bound);

  /** Returns true if something goes wrong now. */
  boolean isFault();

  /** Returns the factor by which a process goes on more often than a late request arrives. */
  default int weight() {
    return 1;
  }

  /**
   * Returns true if a process that sleeps lets another one go on first. Without this, a process
   * that waits could ask again and again while nothing happens.
   */
  default boolean yieldsAtSleep() {
    return false;
  }

  /** Draws from a seed. */
  static Choices ofSeed(long seed, int oneFaultIn) {
    SplittableRandom chance = new SplittableRandom(seed);
    return new Choices() {
      @Override
      public int among(int bound) {
        return bound == 1 ? 0 : chance.nextInt(bound);
      }

      @Override
      public boolean isFault() {
        return chance.nextInt(oneFaultIn) == 0;
      }

      @Override
      public int weight() {
        return 4;
      }
    };
  }

  /** Takes every way in turn, depth first. Each way has at most so many faults. */
  final class Exhaustive implements Choices {
    private final int faultsMax;
    private final List<int[]> path = new ArrayList<>();
    private int depth;
    private int faults;

    /**
     * @param faultsMax of each way
     */
    public Exhaustive(int faultsMax) {
      this.faultsMax = faultsMax;
    }

    @Override
    public int among(int bound) {
      if (bound == 1) {
        return 0;
      }
      if (depth == path.size()) {
        path.add(new int[] {0, bound});
      }
      return path.get(depth++)[0];
    }

    @Override
    public boolean isFault() {
      boolean isFault = faults < faultsMax && among(2) == 1;
      faults += isFault ? 1 : 0;
      return isFault;
    }

    @Override
    public boolean yieldsAtSleep() {
      return true;
    }

    /** Returns how many faults this way has had so far. */
    public int faults() {
      return faults;
    }

    /** Returns true if this way has left the one before it, so that what comes is new. */
    public boolean isNew() {
      return depth >= path.size();
    }

    /** Goes to the next way; returns false if there is none. */
    public boolean next() {
      depth = 0;
      faults = 0;
      while (!path.isEmpty()) {
        int[] last = path.get(path.size() - 1);
        if (++last[0] < last[1]) {
          return true;
        }
        path.remove(path.size() - 1);
      }
      return false;
    }
  }
}
