/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds bytes in a text, eight at a time. For each byte of a word that is zero, {@code (word -
 * 0x01…01) & ~word & 0x80…80} has the highest bit set; the lowest such bit is always right, higher
 * ones may come from a borrow.
 */
public final class Scan {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private static final int AFTER_BLANK = ' ' + 1;
  private static final int MAX_DIGITS = 18;

  /** In each byte, the bits in which a quote (0x22) and a line feed (0x0a) agree. */
  private static final long AGREEING = 0xd7d7d7d7d7d7d7d7L;

  /** The values of these bits. */
  private static final long AGREED = 0x0202020202020202L;

  private Scan() {}

  /** Returns the first position of a byte in [start, end); end when it does not occur there. */
  public static int find(byte[] text, int start, int end, char wanted) {
    long pattern = wanted * ONES;
    int i = start;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long word = (long) LONGS.get(text, i) ^ pattern;
      long found = (word - ONES) & ~word & HIGH_BITS;
      if (found != 0) {
        return i + firstByte(found);
      }
    }
    while (i < end && text[i] != wanted) {
      i++;
    }
    return i;
  }

  /** Returns the first position of a space or a control character; end when there is none. */
  public static int findBlank(byte[] text, int start, int end) {
    int i = start;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long word = (long) LONGS.get(text, i);
      long found = (word - AFTER_BLANK * ONES) & ~word & HIGH_BITS;
      if (found != 0) {
        return i + firstByte(found);
      }
    }
    while (i < end && (text[i] < 0 || text[i] >= AFTER_BLANK)) {
      i++;
    }
    return i;
  }

  /** Returns the eight bytes at a position as one number. */
  public static long word(byte[] text, int start) {
    return (long) LONGS.get(text, start);
  }

  /** Returns the first position of one of two bytes; end when none occurs. */
  public static int findEither(byte[] text, int start, int end, char one, char other) {
    long onePattern = one * ONES;
    long otherPattern = other * ONES;
    int i = start;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long word = (long) LONGS.get(text, i);
      long first = word ^ onePattern;
      long second = word ^ otherPattern;
      long found = (((first - ONES) & ~first) | ((second - ONES) & ~second)) & HIGH_BITS;
      if (found != 0) {
        return i + firstByte(found);
      }
    }
    while (i < end && text[i] != one && text[i] != other) {
      i++;
    }
    return i;
  }

  /**
   * Returns the first position of a double quote or a line feed; end when none occurs. One test
   * finds both, as they differ in two bits only; two other bytes, 2 and {@code *}, that it finds
   * too are passed over.
   */
  public static int findQuoteOrLineFeed(byte[] text, int start, int end) {
    int i = start;
    while (i + Long.BYTES <= end) {
      long word = ((long) LONGS.get(text, i) & AGREEING) ^ AGREED;
      long found = (word - ONES) & ~word & HIGH_BITS;
      if (found == 0) {
        i += Long.BYTES;
      } else {
        i += firstByte(found);
        if (text[i] == '"' || text[i] == '\n') {
          return i;
        }
        i++;
      }
    }
    while (i < end && text[i] != '"' && text[i] != '\n') {
      i++;
    }
    return i;
  }

  /**
   * Returns a number in which the highest bit of each of its eight bytes tells whether the text has
   * a certain byte there. The first byte of the text is the lowest one of the number.
   */
  public static long all(byte[] text, int start, char wanted) {
    long word = (long) LONGS.get(text, start) ^ (wanted * ONES);
    // Unlike the shorter test of the other methods, this one has no borrows.
    return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word | ~HIGH_BITS);
  }

  /** Returns the number of the first byte of a word, from 0, whose highest bit is set. */
  public static int firstByte(long highBits) {
    // The bits below it, one of each byte, are counted: where only simple code is compiled, this is
    // faster than to count zeros.
    return (int) ((((highBits - 1) & ~highBits & ONES) * ONES) >>> 56) - 1;
  }

  /** Returns true if so many bytes of two texts are the same. */
  public static boolean areEqual(byte[] one, int start, byte[] other, int otherStart, int length) {
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        if (one[start + i] != other[otherStart + i]) {
          return false;
        }
      }
      return true;
    }
    // The last word is compared first: it may overlap the one before it, and ids differ there.
    for (int i = length - Long.BYTES; i > 0; i -= Long.BYTES) {
      if (word(one, start + i) != word(other, otherStart + i)) {
        return false;
      }
    }
    return word(one, start) == word(other, otherStart);
  }

  /** Returns true if a text begins with a word at a position, before the end. */
  public static boolean startsWith(byte[] text, int start, int end, byte[] word) {
    return end - start >= word.length && areEqual(text, start, word, 0, word.length);
  }

  /** Returns the first position of a word in [start, end); -1 when it does not occur there. */
  public static int indexOf(byte[] text, int start, int end, byte[] word) {
    int last = end - word.length;
    for (int at = start; at <= last; at++) {
      at = find(text, at, end, (char) word[0]);
      if (at <= last && areEqual(text, at, word, 0, word.length)) {
        return at;
      }
    }
    return -1;
  }

  /** Returns the whole number in [start, end); -1 when there is none, or one of over 18 digits. */
  public static long number(byte[] text, int start, int end) {
    if (start >= end || end - start > MAX_DIGITS) {
      return -1;
    }
    long value = 0;
    for (int i = start; i < end; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return -1;
      }
      value = value * 10 + text[i] - '0';
    }
    return value;
  }

  /** Returns the last position of a byte in [start, end); start - 1 when it does not occur. */
  public static int findLast(byte[] text, int start, int end, char wanted) {
    long pattern = wanted * ONES;
    int i = end;
    for (; i - Long.BYTES >= start; i -= Long.BYTES) {
      long word = (long) LONGS.get(text, i - Long.BYTES) ^ pattern;
      if (((word - ONES) & ~word & HIGH_BITS) != 0) {
        break;
      }
    }
    while (i > start && text[i - 1] != wanted) {
      i--;
    }
    return i - 1;
  }
}
