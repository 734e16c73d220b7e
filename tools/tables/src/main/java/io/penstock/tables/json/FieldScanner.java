/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import io.penstock.tables.bytes.Scan;
import io.penstock.tables.json.FieldTree.Node;
import io.penstock.tables.json.KnownMembers.Member;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds selected fields of a JSON object in one pass over its bytes. This is several times as fast
 * as a parser that creates values of all fields. The scanner is lenient: it skips all other fields
 * by their brackets and quotes only, and does not validate them. For one thread at a time; the
 * fields are those of the last scan.
 */
public final class FieldScanner {
  /** The result of a scan whose bytes end before the object ends. */
  public static final int SHORT = -1;

  /** The result of a scan of bytes that are not a JSON object. */
  public static final int BAD = -2;

  /** The most characters of a number. Longer numbers do not occur in logs and are slow to parse. */
  private static final int NUMBER_MAX = 64;

  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final int MAX_DEPTH = 100;

  private final FieldTree tree;
  private final int[] starts;
  private final int[] ends;
  private final boolean[] escaped;
  // The object that was scanned last, and this one; and which member of the last may come next.
  private ScannedObject previous;
  private ScannedObject current;
  private int upcoming;
  // The members that were seen, by the id of the object's node.
  private final KnownMembers[] known;
  // The member whose name was passed last, or null if it is not remembered, and its node.
  private Member member;
  private Node memberNode;
  private byte[] text = {};
  private int begin;
  private int limit;
  private int position;
  private int stringStart;

  public FieldScanner(FieldTree tree) {
    this.tree = tree;
    starts = new int[tree.size()];
    ends = new int[tree.size()];
    escaped = new boolean[tree.size()];
    previous = new ScannedObject(tree.size());
    current = new ScannedObject(tree.size());
    known = new KnownMembers[tree.nodes()];
    Arrays.setAll(known, id -> new KnownMembers());
  }

  /**
   * Scans the object that begins at start.
   *
   * @param source must not change while the fields are read
   * @param end the end of the available bytes, exclusive
   * @return the end of the object, exclusive, or {@link #SHORT} or {@link #BAD}
   */
  public int scan(byte[] source, int start, int end) {
    Arrays.fill(starts, -1);
    text = source;
    limit = end;
    position = start;
    begin = start;
    upcoming = 0;
    current.clear();
    int problem = object(tree.root(), 0);
    if (problem < 0) {
      return problem;
    }
    if (current.complete(text, start, position, starts, ends, escaped)) {
      ScannedObject reused = previous;
      previous = current;
      current = reused;
    }
    return position;
  }

  /** Returns the position that the last scan reached. */
  public int position() {
    return position;
  }

  private int object(Node node, int depth) {
    if (!here()) {
      return SHORT;
    }
    if (text[position] != '{' || depth > MAX_DEPTH) {
      return BAD;
    }
    position++;
    Member before = known[node.id()].beginning();
    while (here()) {
      if (text[position] == '}') {
        position++;
        return 0;
      }
      if (text[position] == ',') {
        position++;
        continue;
      }
      if (depth == 0 && repeats()) {
        before = member;
        continue;
      }
      int start = position;
      int problem = name(node, before);
      if (problem < 0) {
        return problem;
      }
      before = member;
      problem = here() ? value(memberNode, depth) : SHORT;
      if (problem < 0) {
        return problem;
      }
      if (depth == 0) {
        current.add(before, start - begin, position - begin);
        upcoming = previous.after(before, upcoming);
      }
    }
    return SHORT;
  }

  /** Passes the members here that the previous object had too. Returns false if there are none. */
  private boolean repeats() {
    if (upcoming >= previous.count() || !previous.member(upcoming).mayRepeat()) {
      return false;
    }
    int until = previous.repeatedUntil(upcoming, text, position, limit);
    previous.member(upcoming).repeated(until > upcoming);
    if (until == upcoming) {
      return false;
    }
    int from = previous.begin(upcoming);
    int end = previous.end(until - 1);
    int shift = position - begin - from;
    for (; upcoming < until; upcoming++) {
      member = previous.member(upcoming);
      current.add(member, previous.begin(upcoming) + shift, previous.end(upcoming) + shift);
    }
    if (!previous.copyFields(from, end, position, starts, ends, escaped)) {
      current.giveUp();
    }
    position += end - from;
    return true;
  }

  /** Passes the name of a member and its colon. */
  private int name(Node node, Member last) {
    Member expected = last == null ? null : last.isNext(text, position, limit);
    if (expected != null) {
      position += expected.length();
      member = expected;
      memberNode = expected.node();
      return 0;
    }
    int start = position;
    int problem = string();
    if (problem < 0) {
      return problem;
    }
    // A name with an escape is none of a node's, as these have no backslash.
    memberNode = node.child(text, stringStart, position - 1);
    boolean isColonNext = position < limit && text[position] == ':';
    if (!here()) {
      return SHORT;
    }
    if (text[position++] != ':') {
      return BAD;
    }
    member = isColonNext ? known[node.id()].add(last, text, start, position, memberNode) : null;
    return 0;
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
      int end = JsonBytes.pair(text, position, limit);
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
      if (starts[number] >= 0) {
        // If the next object repeats only the first value, the field must not be missing there.
        current.giveUp();
      }
      starts[number] = start;
      ends[number] = end;
      escaped[number] = isQuoted && Scan.find(text, start, end, '\\') < end;
    }
  }

  private int string() {
    if (text[position] != '"') {
      return BAD;
    }
    stringStart = position + 1;
    int end = JsonBytes.quote(text, stringStart, limit);
    if (end < 0) {
      return SHORT;
    }
    position = end + 1;
    return 0;
  }

  /** Skips white space; returns false when the bytes end. */
  private boolean here() {
    return (position < limit && text[position] > ' ') || isBehindSpace();
  }

  private boolean isBehindSpace() {
    while (position < limit && text[position] <= ' ' && text[position] >= 0) {
      position++;
    }
    return position < limit;
  }

  /** Returns true if the field has a value that is not null. */
  public boolean has(int field) {
    return starts[field] >= 0;
  }

  /** Returns true if the field's value is exactly this text. */
  public boolean is(int field, byte[] value) {
    return has(field) && Arrays.equals(text, starts[field], ends[field], value, 0, value.length);
  }

  /** Returns true if the value stands in the text as it is, without an escape. */
  public boolean isPlain(int field) {
    return has(field) && !escaped[field];
  }

  /** Returns where a value begins in the text that was scanned, without its quote. */
  public int start(int field) {
    return starts[field];
  }

  /** Returns where a value ends in the text that was scanned, without its quote. */
  public int end(int field) {
    return ends[field];
  }

  /** Returns the text that was scanned last. */
  public byte[] text() {
    return text;
  }

  /**
   * Returns the value in UTF-8, without quotes and with escapes decoded; null when there is none.
   */
  public byte[] bytes(int field) {
    if (!has(field)) {
      return null;
    }
    return escaped[field]
        ? Escapes.undo(text, starts[field], ends[field])
        : Arrays.copyOfRange(text, starts[field], ends[field]);
  }

  /** Returns the same value as {@link #bytes}, as a String. */
  public String text(int field) {
    byte[] value = bytes(field);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /**
   * Returns a number, quoted or not, with its fraction cut off.
   *
   * @return -1 when the field has no value, or a value that is negative or not a number
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

  /**
   * Parses a number with a fraction or an exponent. Accepts only what JSON allows, because Java's
   * own parser also accepts {@code 1d} and 0x1p4.
   */
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

  /**
   * Returns an ISO 8601 time in microseconds since 1970; {@link Long#MIN_VALUE} when the value is
   * not a time.
   */
  public long micros(int field) {
    return has(field) ? IsoTime.micros(text, starts[field], ends[field]) : Long.MIN_VALUE;
  }
}
