/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import io.penstock.tables.json.KnownMembers.Member;
import java.util.Arrays;

/**
 * An object that was scanned: its text, its own members, and the fields in it. The next object of a
 * log often repeats much of it: who calls, by which protocol, for which account. The positions of
 * members count from the beginning of the object, those of fields as in the text it was found in.
 */
final class ScannedObject {
  /** A longer object is not remembered. */
  private static final int LONGEST = 16 << 10;

  /** An object with more members is not remembered. */
  private static final int MOST_MEMBERS = 64;

  private final Member[] members = new Member[MOST_MEMBERS];
  // Where each member begins, and where its value ends.
  private final int[] begins = new int[MOST_MEMBERS];
  private final int[] ends = new int[MOST_MEMBERS];
  private final int[] fieldStarts;
  private final int[] fieldEnds;
  private final boolean[] fieldEscaped;
  private byte[] text = {};
  private int origin;
  private int length;
  private int count;
  private boolean isUsable;

  ScannedObject(int fields) {
    fieldStarts = new int[fields];
    fieldEnds = new int[fields];
    fieldEscaped = new boolean[fields];
  }

  int count() {
    return count;
  }

  Member member(int index) {
    return members[index];
  }

  int begin(int index) {
    return begins[index];
  }

  int end(int index) {
    return ends[index];
  }

  /** Forgets the object, to note the members of another. */
  void clear() {
    count = 0;
    isUsable = true;
  }

  /** Notes that the object is too unusual to be compared with the next one. */
  void giveUp() {
    isUsable = false;
  }

  /**
   * Notes a member.
   *
   * @param member null if it is not remembered
   */
  void add(Member member, int begin, int end) {
    if (member == null || count == MOST_MEMBERS) {
      giveUp();
      return;
    }
    members[count] = member;
    begins[count] = begin;
    ends[count] = end;
    count++;
  }

  /** Notes the text and the fields of the object. Returns false if it is not to be compared. */
  boolean complete(
      byte[] source, int start, int end, int[] starts, int[] stops, boolean[] escapes) {
    length = end - start;
    if (!isUsable || length > LONGEST) {
      return false;
    }
    if (text.length < length) {
      text = new byte[Math.min(LONGEST, 2 * length)];
    }
    System.arraycopy(source, start, text, 0, length);
    origin = start;
    System.arraycopy(starts, 0, fieldStarts, 0, starts.length);
    System.arraycopy(stops, 0, fieldEnds, 0, starts.length);
    System.arraycopy(escapes, 0, fieldEscaped, 0, starts.length);
    return true;
  }

  /**
   * Returns the index after the last member that a text repeats whole, with the byte behind it.
   *
   * @param index the first member to compare
   * @param at where that member would begin in the other text
   */
  int repeatedUntil(int index, byte[] other, int at, int limit) {
    int begin = begins[index];
    int different = Arrays.mismatch(text, begin, length, other, at, limit);
    int until = different < 0 ? length : begin + different;
    int next = index;
    // The byte behind a number tells that it ends there.
    while (next < count && ends[next] < until) {
      next++;
    }
    return next;
  }

  /**
   * Sets the fields that lie in a part of this object. Returns false if one of them had a value.
   *
   * @param at where the part begins in the other text
   */
  boolean copyFields(int begin, int end, int at, int[] starts, int[] stops, boolean[] escapes) {
    int from = origin + begin;
    int until = origin + end;
    int shift = at - from;
    boolean areNew = true;
    for (int i = 0; i < fieldStarts.length; i++) {
      int start = fieldStarts[i];
      if (start >= from && start < until) {
        areNew &= starts[i] < 0;
        starts[i] = start + shift;
        stops[i] = fieldEnds[i] + shift;
        escapes[i] = fieldEscaped[i];
      }
    }
    return areNew;
  }

  /**
   * Returns the index behind a member, looked for from an index on; that index if it is missing.
   */
  int after(Member member, int from) {
    for (int i = from; i < count; i++) {
      if (members[i] == member) {
        return i + 1;
      }
    }
    return from;
  }
}
