/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import io.penstock.tables.bytes.Scan;
import io.penstock.tables.json.FieldTree.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The members that objects at one place had so far. Writers of logs give members the same order in
 * each object, so what followed a member last is tried first, before a name is looked up.
 */
final class KnownMembers {
  /** The most members that are remembered: a hostile log has other names in each object. */
  private static final int MOST = 64;

  /** The longest name with quotes and colon that is remembered: none that is selected is longer. */
  private static final int LONGEST = 66;

  /** Objects that differ at a member more often in a row than this are seldom compared there. */
  private static final int DIFFERENT_MOST = 4;

  /** One of so many objects is compared all the same: the log may change. */
  private static final int SELDOM = 64;

  /** A member, or the beginning of an object. */
  static final class Member {
    // The name as it stands in the text, with its quotes and the colon right behind it.
    private final byte[] name;
    private final Node node;
    // The members that followed this one last, and before.
    private Member next;
    private Member other;
    // How often in a row no object repeated what the one before had here.
    private int different;

    private Member(byte[] name, Node node) {
      this.name = name;
      this.node = node;
    }

    /** Returns the length of the name with its quotes and colon. */
    int length() {
      return name.length;
    }

    /** Returns the node of the field with this name; null when the field is not selected. */
    Node node() {
      return node;
    }

    /** Returns the member that begins at a position, if it followed this one before; or null. */
    Member isNext(byte[] text, int start, int limit) {
      if (isAt(next, text, start, limit)) {
        return next;
      }
      if (!isAt(other, text, start, limit)) {
        return null;
      }
      follow(other);
      return next;
    }

    /** Returns true if it pays to compare what begins here with the last object. */
    boolean mayRepeat() {
      if (different < DIFFERENT_MOST) {
        return true;
      }
      different++;
      return different % SELDOM == 0;
    }

    /** Notes whether an object repeated what the one before had here. */
    void repeated(boolean isRepeated) {
      different = isRepeated ? 0 : different + 1;
    }

    private static boolean isAt(Member member, byte[] text, int start, int limit) {
      return member != null
          && limit - start >= member.name.length
          && Scan.areEqual(member.name, 0, text, start, member.name.length);
    }

    private void follow(Member member) {
      other = next;
      next = member;
    }
  }

  private final Member beginning = new Member(new byte[0], null);
  private final List<Member> members = new ArrayList<>();

  /** Returns what the first member of an object follows. */
  Member beginning() {
    return beginning;
  }

  /**
   * Remembers a member, and returns it; null if there are too many, or if its name is too long.
   *
   * @param last the member before it; null if that one is not remembered
   * @param text has the name from start to end exclusive, with its quotes and the colon
   * @param node the node of the field with this name; null when the field is not selected
   */
  Member add(Member last, byte[] text, int start, int end, Node node) {
    if (end - start > LONGEST) {
      return null;
    }
    Member member = find(text, start, end);
    if (member == null && members.size() < MOST) {
      member = new Member(Arrays.copyOfRange(text, start, end), node);
      members.add(member);
    }
    if (member != null && last != null) {
      last.follow(member);
    }
    return member;
  }

  private Member find(byte[] text, int start, int end) {
    for (Member member : members) {
      if (Arrays.equals(member.name, 0, member.name.length, text, start, end)) {
        return member;
      }
    }
    return null;
  }
}
