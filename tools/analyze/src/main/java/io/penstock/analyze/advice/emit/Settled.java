/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A change with the advice that asks for it.
 *
 * @param advice whose verdict is do
 */
record Settled(Advice advice, Change change) {

  /** All changes of some targets; of two rules that set the same the first one counts. */
  static List<Settled> of(List<Advice> all, Set<Target> targets) {
    List<Settled> changes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Advice advice : all) {
      for (Change change : advice.changes()) {
        if (advice.verdict() == Verdict.DO
            && targets.contains(change.target())
            && names.add(change.target() + change.name())) {
          changes.add(new Settled(advice, change));
        }
      }
    }
    return changes;
  }

  /** Rule, title and number, on one line. */
  String reason() {
    return line(advice.rule() + " " + advice.title() + ": " + firstSentence(advice.evidence()));
  }

  /** Returns what it was. */
  String was() {
    return line("was: " + (change.now().isEmpty() ? "not known" : change.now()));
  }

  private static String firstSentence(String evidence) {
    int end = evidence.indexOf(". ");
    return end < 0 ? evidence : evidence.substring(0, end + 1);
  }

  /** Keys and names come from logs: nothing of them may end a comment's line. */
  static String line(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints().forEach(c -> line.appendCodePoint(isPlain(c) ? c : ' '));
    return line.toString();
  }

  private static boolean isPlain(int c) {
    int type = Character.getType(c);
    return !Character.isISOControl(c)
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR
        && type != Character.SURROGATE
        && type != Character.FORMAT
        && c < 0xFFFE;
  }
}
