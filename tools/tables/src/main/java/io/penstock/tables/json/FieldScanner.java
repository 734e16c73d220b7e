/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import io.penstock.tables.json.FieldTree.Node;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the wanted fields of a JSON object in one pass over its bytes, several times as fast as a
 * parser that makes values of all of them. It is lenient: what is not wanted is stepped over by its
 * brackets and quotes alone.
 */
public final class FieldScanner {
  /** The bytes end before the object does. */
  public static final int SHORT = -1;

  /** This is not a JSON object. */
  public static final int BAD = -2;

  /** Longer ones are no numbers of a log, and dear to read. */
  private static final int NUMBER_MAX = 64;

  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final int MAX_DEPTH = 100;

  private final FieldTree tree;
  private final int[] starts;
  private final int[] ends;
  private final boolean[] quoted;
  private final boolean[] escaped;
  private byte[] text = {};
  private int limit;
  private int position;
  private int stringStart;
  private boolean stringEscaped;

  public FieldScanner(FieldTree tree) {
    this.tree = tree;
    starts = new int[tree.size()];
    ends = new int[tree.size()];
    quoted = new boolean[tree.size()];
    escaped = new boolean[tree.size()];
  }

  /**
   * Scans the object that begins at start.
   *
   * @param source must stay as it is while fields are asked for
   * @param end of the bytes that are there
   * @return where the object ends, exclusive, or {@link #SHORT} or {@link #BAD}
   */
  public int scan(byte[] source, int start, int end) {
    Arrays.fill(starts, -1);
    text = source;
    limit = end;
    position = start;
    int problem = object(tree.root(), 0);
    return problem < 0 ? problem : position;
  }

  /** Returns how far the last scan got. */
  public int position() {
    return position;
  }

  /**
   * Steps over a pair of braces or brackets, whatever is in it; {@link #SHORT} if it is not closed.
   */
  private static int skip(byte[] source, int start, int end) {
    int depth = 0;
    for (int i = start; i < end; i++) {
      byte one = source[i];
      if (one == '"') {
        i = quote(source, i + 1, end);
        if (i < 0) {
          return SHORT;
        }
      } else if (one == '{' || one == '[') {
        depth++;
      } else if ((one == '}' || one == ']') && --depth <= 0) {
        return i + 1;
      }
    }
    return SHORT;
  }

  /** The quote that closes a string. */
  private static int quote(byte[] source, int start, int end) {
    for (int i = start; i < end; i++) {
      if (source[i] == '"') {
        return i;
      }
      if (source[i] == '\\') {
        i++;
      }
    }
    return SHORT;
  }

  private int object(Node node, int depth) {
    if (!here()) {
      return SHORT;
    }
    if (text[position] != '{' || depth > MAX_DEPTH) {
      return BAD;
    }
    position++;
    while (here()) {
      if (text[position] == '}') {
        position++;
        return 0;
      }
      if (text[position] == ',') {
        position++;
        continue;
      }
      int problem = member(node, depth);
      if (problem < 0) {
        return problem;
      }
    }
    return SHORT;
  }

  private int member(Node node, int depth) {
    int problem = string();
    if (problem < 0) {
      return problem;
    }
    Node child = stringEscaped ? null : node.child(text, stringStart, position - 1);
    if (!here()) {
      return SHORT;
    }
    if (text[position++] != ':') {
      return BAD;
    }
    return here() ? value(child, depth) : SHORT;
  }

  private int value(Node node, int depth) {
    byte first = text[position];
    if (first == '"') {
      int problem = string();
      if (problem == 0 && node != null) {
        keep(node, stringStart, position - 1, true);
      }
      return problem;
    }
    int start = position;
    if (first == '{' && node != null) {
      return object(node, depth + 1);
    }
    if (first == '{' || first == '[') {
      int end = skip(text, position, limit);
      position = end < 0 ? position : end;
      return Math.min(end, 0);
    }
    return scalar(node, start);
  }

  private int scalar(Node node, int start) {
    while (position < limit && isScalar(text[position])) {
      position++;
    }
    if (position == limit) {
      return SHORT;
    }
    if (position == start) {
      return BAD;
    }
    if (node != null && text[start] != 'n') {
      keep(node, start, position, false);
    }
    return 0;
  }

  private static boolean isScalar(byte one) {
    return (one >= '0' && one <= '9')
        || (one >= 'a' && one <= 'z')
        || one == '-'
        || one == '+'
        || one == '.'
        || one == 'E';
  }

  private void keep(Node node, int start, int end, boolean isQuoted) {
    int number = node.number();
    if (number >= 0) {
      starts[number] = start;
      ends[number] = end;
      quoted[number] = isQuoted;
      escaped[number] = isQuoted && stringEscaped;
    }
  }

  private int string() {
    if (text[position] != '"') {
      return BAD;
    }
    stringStart = position + 1;
    stringEscaped = false;
    for (int i = stringStart; i < limit; i++) {
      byte one = text[i];
      if (one == '"') {
        position = i + 1;
        return 0;
      }
      if (one == '\\') {
        stringEscaped = true;
        i++;
      }
    }
    return SHORT;
  }

  /** Steps over white space; false when the bytes end. */
  private boolean here() {
    while (position < limit && text[position] <= ' ' && text[position] >= 0) {
      position++;
    }
    return position < limit;
  }

  /** Returns true if there is a value that is not null. */
  public boolean has(int field) {
    return starts[field] >= 0;
  }

  /** Returns true if a value is exactly this text. */
  public boolean is(int field, byte[] value) {
    return has(field) && Arrays.equals(text, starts[field], ends[field], value, 0, value.length);
  }

  /** The value without quotes and escapes, in UTF-8; null when there is none. */
  public byte[] bytes(int field) {
    if (!has(field)) {
      return null;
    }
    return escaped[field]
        ? Escapes.undo(text, starts[field], ends[field])
        : Arrays.copyOfRange(text, starts[field], ends[field]);
  }

  /** Returns it as {@link #bytes}. */
  public String text(int field) {
    byte[] value = bytes(field);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /**
   * A number, cut to a whole one, be it quoted or not.
   *
   * @return -1 when there is none, or one that is negative or not a number
   */
  public long number(int field) {
    if (!has(field)) {
      return -1;
    }
    int start = starts[field];
    int end = ends[field];
    long value = 0;
    for (int i = start; i < end; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || end - start > 18) {
        return fraction(start, end);
      }
      value = value * 10 + digit;
    }
    return start == end ? -1 : value;
  }

  /** Reads what JSON allows beyond digits; Java's own doubles would be {@code 1d} and 0x1p4 too. */
  private long fraction(int start, int end) {
    if (end - start > NUMBER_MAX) {
      return -1;
    }
    try {
      BigDecimal value =
          new BigDecimal(new String(text, start, end - start, StandardCharsets.ISO_8859_1));
      return value.signum() >= 0 && value.compareTo(LONGEST) <= 0 ? value.longValue() : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Microseconds since 1970 of an ISO 8601 time; {@link Long#MIN_VALUE} when it is none. */
  public long micros(int field) {
    return has(field) ? IsoTime.micros(text, starts[field], ends[field]) : Long.MIN_VALUE;
  }
}
