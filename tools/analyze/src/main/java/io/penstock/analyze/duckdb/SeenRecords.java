/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.util.Arrays;

/**
 * Finds the records that may stand more than once in logs, while threads read them. A record that
 * is added when {@link HashBits} has it is a suspect. So every record that stands twice is among
 * the suspects, and few others are. If there are too many suspects, every record is one.
 */
final class SeenRecords {
  private static final int FIRST_SUSPECTS = 256;

  /** So many suspects are kept; if there are more, every record is one. */
  private static final int MOST_SUSPECTS = 1 << 23;

  private final HashBits seen;
  private long[] suspects = new long[FIRST_SUSPECTS];
  private int count;

  /**
   * Begins without records.
   *
   * @param expected about how many records there are; with more, suspects are more
   */
  SeenRecords(long expected) {
    seen = new HashBits(expected, this::suspect);
  }

  /** Returns what takes the records that one thread reads. */
  HashBits.Adder reader() {
    return seen.new Adder();
  }

  private synchronized void suspect(long record) {
    if (count > MOST_SUSPECTS) {
      return;
    }
    if (count == MOST_SUSPECTS) {
      suspects = new long[0];
    } else if (count == suspects.length) {
      suspects = Arrays.copyOf(suspects, count * 2);
    }
    if (count < MOST_SUSPECTS) {
      suspects[count] = record;
    }
    count++;
  }

  /** Returns true if too many records may stand twice to know which. */
  boolean isAnyone() {
    return count > MOST_SUSPECTS;
  }

  /**
   * Returns the records that may stand twice, some of them several times; none if {@link
   * #isAnyone}.
   */
  long[] suspects() {
    return Arrays.copyOf(suspects, isAnyone() ? 0 : count);
  }
}
