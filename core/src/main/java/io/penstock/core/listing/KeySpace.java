/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import io.penstock.core.store.keys.KeyOrder;
import java.util.Optional;

/**
 * Names between keys, and distances between keys. The part of a key after the common start of the
 * keys is read as the digits after a decimal point: {@code 5} is 0.5, and {@code 25} is 0.25. The
 * digits are hexadecimal where keys look like hexadecimal numbers, and all printable characters
 * where keys do not look like numbers. The results are guesses: a listing may be divided at any
 * name, and is only slower if it is divided badly.
 */
final class KeySpace {
  private static final String DIGITS = "0123456789";
  private static final String LOWER_HEX = "0123456789abcdef";
  private static final String UPPER_HEX = "0123456789ABCDEF";
  private static final String PRINTABLE = printable();

  /** Sorts behind all names that are usual. */
  static final char LAST = '~';

  /** Places of keys are computed to one part in this many; a double is exact to more parts. */
  private static final double FINE = 1e14;

  private static final int WRITTEN_MAX = 6;

  private KeySpace() {}

  /** Returns a name strictly between two keys, near their middle; empty if none was found. */
  static Optional<String> between(String low, String high) {
    Scale scale = Scale.of(low, high);
    double middle = (scale.fraction(low) + scale.fraction(high)) / 2;
    return Optional.of(scale.name(middle)).filter(name -> isBetween(low, name, high));
  }

  /**
   * Returns a name that is some times as far behind the second key as that one is behind the first;
   * empty if that is not a name under the prefix.
   *
   * @param times greater than 0
   */
  static Optional<String> beyond(String prefix, String first, String last, double times) {
    Scale scale = Scale.of(first, last);
    double place = scale.fraction(last);
    double there = place + times * (place - scale.fraction(first));
    if (there >= 1) {
      // Behind all keys with the common start.
      return scale.start().length() > prefix.length()
          ? after(last, scale.start() + LAST)
          : Optional.empty();
    }
    return after(last, scale.name(there));
  }

  private static Optional<String> after(String last, String name) {
    return Optional.of(name).filter(found -> KeyOrder.INSTANCE.compare(last, found) < 0);
  }

  /**
   * Returns how much of the way from the first key to the end is left behind the last one, in
   * multiples of the way from the first to the last; 0 or greater, maybe infinite.
   */
  static double left(String first, String last, String end) {
    Scale scale = Scale.of(first, end);
    double done = scale.fraction(last) - scale.fraction(first);
    double rest = scale.fraction(end) - scale.fraction(last);
    return rest <= 0 ? 0 : rest / Math.max(0, done);
  }

  private static boolean isBetween(String low, String name, String high) {
    return KeyOrder.INSTANCE.compare(low, name) < 0 && KeyOrder.INSTANCE.compare(name, high) < 0;
  }

  /**
   * Reads and writes what follows the common start of two keys.
   *
   * @param digits the characters of a number, in the order of their codes
   */
  private record Scale(String start, String digits) {
    static Scale of(String low, String high) {
      int at = 0;
      while (at < low.length() && at < high.length() && low.charAt(at) == high.charAt(at)) {
        at++;
      }
      if (at > 0 && Character.isHighSurrogate(high.charAt(at - 1))) {
        at--; // Half a character is no name.
      }
      char l = at < low.length() ? low.charAt(at) : DIGITS.charAt(0);
      char h = at < high.length() ? high.charAt(at) : l;
      return new Scale(high.substring(0, at), digits(l, h));
    }

    private static String digits(char low, char high) {
      if (isOf(DIGITS, low) && (isOf(DIGITS, high) || high > 'f')) {
        return DIGITS;
      }
      if (isOf(LOWER_HEX, low) && (isOf(LOWER_HEX, high) || high == LAST)) {
        return LOWER_HEX;
      }
      return isOf(UPPER_HEX, low) && isOf(UPPER_HEX, high) ? UPPER_HEX : PRINTABLE;
    }

    /** Returns the place of a key with this start, from 0 to 1. */
    double fraction(String key) {
      double place = 0;
      double width = 1;
      for (int i = start.length(); i < key.length() && width * FINE > 1; i++) {
        char c = key.charAt(i);
        width /= digits.length();
        if (c > digits.charAt(digits.length() - 1)) {
          return place + digits.length() * width;
        }
        if (c >= digits.charAt(0)) {
          place += rank(c) * width;
        }
      }
      return place;
    }

    /** Returns the number of digits up to this character, which need not be a digit itself. */
    private int rank(char c) {
      int rank = digits.length() - 1;
      while (rank > 0 && digits.charAt(rank) > c) {
        rank--;
      }
      return rank;
    }

    /** Returns a name at a place from 0 up to, but not including, 1. */
    String name(double place) {
      StringBuilder name = new StringBuilder(start);
      double rest = place;
      for (int i = 0; i < WRITTEN_MAX && rest > 0; i++) {
        rest *= digits.length();
        int rank = Math.min(digits.length() - 1, (int) rest);
        name.append(digits.charAt(rank));
        rest -= rank;
      }
      return name.toString();
    }

    private static boolean isOf(String digits, char c) {
      return digits.indexOf(c) >= 0;
    }
  }

  private static String printable() {
    StringBuilder all = new StringBuilder();
    for (char c = ' '; c < LAST; c++) {
      all.append(c);
    }
    return all.toString();
  }
}
