/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Target;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A change together with the advice that recommends it. */
record Settled(Advice advice, Change change) {

  /** Returns the changes of some targets that are to be made. */
  static List<Settled> of(List<Advice> all, Set<Target> targets) {
    return all(all).stream().filter(settled -> settled.isIn(targets)).toList();
  }

  /**
   * Returns the changes that a file with those targets cannot make, and those to be measured first:
   * a file has them as comments, so that it holds all advice.
   */
  static List<Settled> others(List<Advice> all, Set<Target> targets) {
    return all(all).stream().filter(settled -> !settled.isIn(targets)).toList();
  }

  /** Returns all changes, ranked. If two rules change the same setting, the first rule wins. */
  private static List<Settled> all(List<Advice> all) {
    List<Settled> changes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (AdviceVerdict verdict : List.of(AdviceVerdict.DO, AdviceVerdict.BENCHMARK)) {
      for (Advice advice : all) {
        for (Change change : advice.changes()) {
          if (advice.verdict() == verdict && names.add(change.target() + change.name())) {
            changes.add(new Settled(advice, change));
          }
        }
      }
    }
    return changes;
  }

  private boolean isIn(Set<Target> targets) {
    return advice.verdict() == AdviceVerdict.DO && targets.contains(change.target());
  }

  /** Returns what to do elsewhere, on one line. */
  String elsewhere() {
    boolean isMeasured = advice.verdict() == AdviceVerdict.BENCHMARK;
    String what =
        switch (change.target()) {
          case SPARK, HADOOP ->
              change.isRemoval() ? "without " + key() : key() + " " + change.next();
          case POD, CODE, OUTSIDE -> change.name() + ": " + change.next();
        };
    String where =
        switch (change.target()) {
          case SPARK, HADOOP ->
              isMeasured ? "Measure this change first: " : "In Spark's settings: ";
          case POD -> isMeasured ? "Measure this change first, in the pods: " : "In the pods: ";
          case CODE, OUTSIDE ->
              isMeasured ? "Measure this change first (not a setting): " : "Not a setting: ";
        };
    return line(where + what);
  }

  /** Returns the name of a setting as Spark's settings have it. */
  String key() {
    return (change.target() == Target.HADOOP ? "spark.hadoop." : "") + change.name();
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
