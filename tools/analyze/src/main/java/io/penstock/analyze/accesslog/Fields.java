/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.tables.bytes.Scan;
import java.util.Arrays;

/** Reads the fields of one line from left to right. The current field is [start, end). */
final class Fields {

  private final byte[] text;
  private final int limit;
  private int next;
  private int start;
  private int end;
  private long micros;

  Fields(byte[] text, int start, int limit) {
    this.text = text;
    this.next = start;
    this.limit = limit;
  }

  byte[] text() {
    return text;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  long micros() {
    return micros;
  }

  /** Moves to the next run of bytes without a space. */
  boolean token() {
    passSpaces();
    start = next;
    next = Scan.find(text, next, limit, ' ');
    end = next;
    return end > start;
  }

  private void passSpaces() {
    while (next < limit && text[next] == ' ') {
      next++;
    }
  }

  /** Moves to the time in brackets. */
  boolean time() {
    passSpaces();
    long read = LogTime.micros(text, next, limit);
    if (read == LogTime.UNREADABLE) {
      return false;
    }
    micros = read;
    next += LogTime.LENGTH;
    return true;
  }

  /**
   * Moves to the request, which is quoted or a bare dash. The request itself may contain quotes, so
   * the closing quote is the first one that is followed by a status and another field.
   */
  boolean request() {
    passSpaces();
    if (next < limit && text[next] != '"') {
      return token() && isDash();
    }
    start = next + 1;
    int last = limit - 2;
    for (int at = quote(start, last); at < last; at = quote(at + 1, last)) {
      if (text[at + 1] == ' ' && isStatusAt(at + 1)) {
        end = at;
        next = at + 1;
        return true;
      }
    }
    return false;
  }

  private boolean isStatusAt(int position) {
    int at = position;
    while (at < limit && text[at] == ' ') {
      at++;
    }
    if (at + 1 < limit && text[at] == '-' && text[at + 1] == ' ') {
      return true;
    }
    return at + 3 < limit
        && isDigit(text[at])
        && isDigit(text[at + 1])
        && isDigit(text[at + 2])
        && text[at + 3] == ' ';
  }

  /**
   * Moves to a quoted field that is followed by another one. The closing quote is the first one
   * that is followed by a quote or a dash.
   */
  boolean quoted() {
    passSpaces();
    if (next >= limit) {
      return false;
    }
    if (text[next] != '"') {
      return token();
    }
    start = next + 1;
    for (int at = quote(start, limit); at < limit; at = quote(at + 1, limit)) {
      if (isQuotedAt(at + 1)) {
        end = at;
        next = at + 1;
        return true;
      }
    }
    return false;
  }

  private boolean isQuotedAt(int position) {
    int at = position;
    while (at < limit && text[at] == ' ') {
      at++;
    }
    if (at == position) {
      return false;
    }
    return at < limit
        && (text[at] == '"' || (text[at] == '-' && (at + 1 == limit || text[at + 1] == ' ')));
  }

  /**
   * Moves to the last quoted field. The closing quote is the last quote of the line that ends a
   * field.
   */
  boolean lastQuoted() {
    passSpaces();
    if (next >= limit) {
      return false;
    }
    if (text[next] != '"') {
      return token();
    }
    start = next + 1;
    for (int at = lastQuote(limit); at >= start; at = lastQuote(at)) {
      if (at + 1 == limit || text[at + 1] == ' ') {
        end = at;
        next = at + 1;
        return true;
      }
    }
    // The closing quote is missing: the line was truncated.
    end = limit;
    next = limit;
    return true;
  }

  private int quote(int from, int until) {
    return Scan.find(text, Math.min(from, until), until, '"');
  }

  private int lastQuote(int until) {
    return Scan.findLast(text, start, until, '"');
  }

  /** Moves to the last field of the line. */
  void lastToken() {
    int at = limit;
    while (at > next && text[at - 1] == ' ') {
      at--;
    }
    end = at;
    while (at > next && text[at - 1] != ' ') {
      at--;
    }
    start = at;
    next = limit;
  }

  boolean isDash() {
    return end - start == 1 && text[start] == '-';
  }

  /** Returns the field as a number; negative when it is not a number. */
  long number() {
    return Scan.number(text, start, end);
  }

  boolean equalTo(byte[] other) {
    return end - start == other.length && Arrays.equals(text, start, end, other, 0, other.length);
  }

  /** Returns true if the field looks like us-east-1: two or more words and a number. */
  boolean looksLikeRegion() {
    return looksLikeRegion(text, start, end);
  }

  /** Returns true if a part of a text looks like us-east-1. */
  static boolean looksLikeRegion(byte[] text, int start, int end) {
    if (end - start < 8 || end - start > 20 || !isDigit(text[end - 1])) {
      return false;
    }
    int dashes = 0;
    for (int at = start; at < end; at++) {
      byte c = text[at];
      if (c == '-') {
        dashes++;
      } else if (!(c >= 'a' && c <= 'z') && !(isDigit(c) && at >= end - 2)) {
        return false;
      }
    }
    return dashes >= 2;
  }

  static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }
}
