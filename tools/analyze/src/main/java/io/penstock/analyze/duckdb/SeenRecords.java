/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.util.Arrays;

/**
 * Finds the records that may stand more than once in logs, while threads read them. Each record
 * sets one of many bits; a record whose bit was set before is a suspect. So every record that
 * stands twice is among the suspects, and few others are. If there are too many suspects, every
 * record is one.
 *
 * <p>The bits are in parts that fit in a processor's cache, and records wait until there are many
 * for one part. Otherwise nearly every record would wait for memory.
 */
final class SeenRecords {
  /** Bits for each expected record, of which one in 32 is then a suspect for nothing. */
  private static final int BITS_A_RECORD = 16;

  /** The bits of a part, as a power of two: 256 KiB. */
  private static final int PART_BITS = 21;

  /** 8 KiB: less saves nothing. */
  private static final int LEAST_BITS = 16;

  /** 128 MiB. Of 100 million records, one in 20 is then a suspect for nothing. */
  private static final int MOST_BITS = 30;

  private static final int WAITING = 256;

  /** So many suspects are kept; if there are more, every record is one. */
  private static final int MOST_SUSPECTS = 1 << 23;

  private final long[][] parts;
  private final int partBits;
  private final int mask;
  private long[] suspects = new long[WAITING];
  private int count;

  /**
   * Creates the bits.
   *
   * @param expected about how many records there are; with more, suspects are more
   */
  SeenRecords(long expected) {
    int wanted = Long.SIZE - Long.numberOfLeadingZeros(expected * BITS_A_RECORD);
    int bits = Math.max(LEAST_BITS, Math.min(MOST_BITS, wanted));
    partBits = Math.max(0, bits - PART_BITS);
    parts = new long[1 << partBits][(1 << (bits - partBits)) / Long.SIZE];
    mask = parts[0].length - 1;
  }

  /** Takes the records that one thread reads. */
  final class Reader {
    private final long[][] waiting = new long[parts.length][];
    private final int[] counts = new int[parts.length];

    /** Adds a record by its hash, all of whose bits must be mixed well. */
    void add(long record) {
      // Shifted twice, as a shift by 64 would be none.
      int part = (int) (record >>> 1 >>> (Long.SIZE - 1 - partBits));
      long[] records = waiting[part];
      if (records == null) {
        records = new long[WAITING];
        waiting[part] = records;
      }
      records[counts[part]++] = record;
      if (counts[part] == WAITING) {
        look(parts[part], records, WAITING);
        counts[part] = 0;
      }
    }

    /** Adds the records that still wait. */
    void end() {
      for (int part = 0; part < parts.length; part++) {
        look(parts[part], waiting[part], counts[part]);
        counts[part] = 0;
      }
    }
  }

  private void look(long[] bits, long[] records, int many) {
    synchronized (bits) {
      for (int i = 0; i < many; i++) {
        long record = records[i];
        int word = (int) (record >>> 6) & mask;
        long bit = 1L << record;
        if ((bits[word] & bit) != 0) {
          suspect(record);
        }
        bits[word] |= bit;
      }
    }
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
