/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.util.function.LongConsumer;

/**
 * A set of hashes, kept as one bit each, so it may contain others by chance but never lacks one.
 *
 * <p>The bits are in parts that fit in a processor's cache, and hashes wait until there are many
 * for one part. Otherwise nearly every hash would wait for memory.
 */
final class HashBits {
  /** Bits for each expected hash: one in 17 to 33 is there by chance in the end. */
  private static final int BITS_A_HASH = 16;

  /** The bits of a part, as a power of two: 256 KiB. */
  private static final int PART_BITS = 21;

  /** 8 KiB: less saves nothing. */
  private static final int LEAST_BITS = 16;

  /** 128 MiB. With 100 million hashes, one in 11 is there by chance in the end. */
  private static final int MOST_BITS = 30;

  private static final int WAITING = 256;

  private final long[][] parts;
  private final int partBits;
  private final int mask;
  private final LongConsumer known;

  /**
   * Creates an empty set.
   *
   * @param expected about how many hashes will be added; with more, more are there by chance
   * @param known takes each hash that is added and was already there; called by several threads
   */
  HashBits(long expected, LongConsumer known) {
    int wanted = Long.SIZE - Long.numberOfLeadingZeros(expected * BITS_A_HASH);
    int bits = Math.max(LEAST_BITS, Math.min(MOST_BITS, wanted));
    partBits = Math.max(0, bits - PART_BITS);
    parts = new long[1 << partBits][(1 << (bits - partBits)) / Long.SIZE];
    mask = parts[0].length - 1;
    this.known = known;
  }

  /** Takes the hashes from one thread. */
  final class Adder {
    private final long[][] waiting = new long[parts.length][];
    private final int[] counts = new int[parts.length];

    /** Adds a hash, all of whose bits must be mixed well. */
    void add(long hash) {
      int part = part(hash);
      long[] hashes = waiting[part];
      if (hashes == null) {
        hashes = new long[WAITING];
        waiting[part] = hashes;
      }
      hashes[counts[part]++] = hash;
      if (counts[part] == WAITING) {
        set(parts[part], hashes, WAITING);
        counts[part] = 0;
      }
    }

    /** Adds the hashes that still wait. */
    void end() {
      for (int part = 0; part < parts.length; part++) {
        set(parts[part], waiting[part], counts[part]);
        counts[part] = 0;
      }
    }
  }

  private int part(long hash) {
    // Shifted twice, as a shift by 64 would be none.
    return (int) (hash >>> 1 >>> (Long.SIZE - 1 - partBits));
  }

  private void set(long[] bits, long[] hashes, int many) {
    synchronized (bits) {
      for (int i = 0; i < many; i++) {
        long hash = hashes[i];
        int word = (int) (hash >>> 6) & mask;
        long bit = 1L << hash;
        if ((bits[word] & bit) != 0) {
          known.accept(hash);
        }
        bits[word] |= bit;
      }
    }
  }

  /** Returns true if a hash may be in the set. All adders must have ended. */
  boolean mayContain(long hash) {
    return (parts[part(hash)][(int) (hash >>> 6) & mask] >>> hash & 1) != 0;
  }
}
