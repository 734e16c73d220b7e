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
 * A change together with the advice that recommends it.
 *
 * @param advice the advice, whose verdict is DO
 */
record Settled(Advice advice, Change change) {

  /**
   * Returns all changes of some targets. If two rules change the same setting, the first rule wins.
   */
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

  /** Returns the rule, its title and the first sentence of its evidence, on one line. */
  String reason() {
    return line(advice.rule() + " " + advice.title() + ": " + firstSentence(advice.evidence()));
  }

  /** Returns a text with the value before the change, on one line. */
  String was() {
    return line("was: " + (change.now().isEmpty() ? "not known" : change.now()));
  }

  private static String firstSentence(String evidence) {
    int end = evidence.indexOf(". ");
    return end < 0 ? evidence : evidence.substring(0, end + 1);
  }

  /**
   * Replaces all characters that could end the line of a comment, because keys and names come from
   * logs.
   */
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
