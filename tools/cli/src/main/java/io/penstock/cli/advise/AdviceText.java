/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.advise;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Proof;
import io.penstock.cli.print.FindingsText;
import io.penstock.cli.print.Terminal;
import io.penstock.cli.print.Wrapped;
import io.penstock.tables.Table;
import io.penstock.tables.format.TableText;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Formats advice for a terminal of 80 columns: the action in full, the rest in short form. */
final class AdviceText {
  private static final int WIDTH = 80;
  private static final int ROWS = 20;

  /** Without it, a title under this verdict reads as its opposite. */
  private static final String NO_REASON = ": these logs show no reason for a change";

  private static final String INDENT = "    ";

  private AdviceText() {}

  /**
   * Returns the advice.
   *
   * @param subject the application that it is about; empty if there is no event log
   */
  static String of(List<Advice> all, String subject) {
    StringBuilder text = new StringBuilder();
    if (!subject.isEmpty()) {
      text.append(Wrapped.text("", "", "About the application " + subject)).append('\n');
    }
    for (AdviceVerdict verdict : AdviceVerdict.values()) {
      List<Advice> some = all.stream().filter(one -> one.verdict() == verdict).toList();
      if (!some.isEmpty()) {
        text.append(verdict.word().toUpperCase(Locale.ROOT));
        text.append(verdict == AdviceVerdict.DONT ? NO_REASON : "").append('\n');
        some.forEach(advice -> text.append(of(advice, false)));
        text.append('\n');
      }
    }
    return text.append(footer(all)).toString();
  }

  private static String footer(List<Advice> all) {
    if (all.isEmpty()) {
      return "These rules have nothing to say about this job.\n";
    }
    return Wrapped.text(
        "",
        "",
        "H: measured and published, M: computed from this job, L: experience. --explain "
            + all.get(0).label().name()
            + " shows the queries and rows behind a rule, --emit spark-defaults the settings.");
  }

  /** Returns the full explanation of the advice, with all its evidence. */
  static String explanation(Advice advice) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(advice.verdict().word().toUpperCase(Locale.ROOT)).append('\n');
    text.append(of(advice, true));
    for (Proof proof : advice.proofs()) {
      text.append("\n-- ").append(proof.query().name()).append(": ");
      text.append(proof.query().title()).append('\n');
      text.append(proof.query().sql()).append("\n\n");
      rows(proof.rows(), text);
    }
    return text.append('\n').toString();
  }

  /** Writes all rows whole to a pipe, and to a terminal as many as one reads, in its width. */
  private static void rows(Table rows, StringBuilder text) throws IOException {
    if (!Terminal.isPresent()) {
      TableText.writeWhole(rows, WIDTH, text);
      return;
    }
    int shown = Math.min(ROWS, rows.rows().size());
    TableText.write(
        new Table(rows.label(), rows.columns(), rows.rows().subList(0, shown)),
        Terminal.width(WIDTH),
        text);
    if (rows.rows().size() > shown) {
      text.append(
          String.format(
              Locale.ROOT,
              "and %,d more; a file or a pipe gets all%n",
              rows.rows().size() - shown));
    }
  }

  private static String of(Advice advice, boolean isFull) {
    StringBuilder text = new StringBuilder();
    String head = "%-4s".formatted(advice.rule());
    text.append(Wrapped.text(head, INDENT, advice.label().titleAndName()));
    line(text, "", advice.evidence());
    if (isFull
        || advice.verdict() == AdviceVerdict.DO
        || advice.verdict() == AdviceVerdict.BENCHMARK
        || !advice.changes().isEmpty()) {
      advice.changes().forEach(change -> line(text, "set ", set(change)));
      String basis = advice.effect().isEmpty() ? "" : " (" + advice.confidence().letter() + ")";
      line(text, "expect ", advice.effect() + basis);
      line(text, "risk ", advice.risk());
      line(text, "verify ", advice.verify());
      line(text, "source ", advice.source());
    }
    return text.toString();
  }

  private static String set(Change change) {
    return "%s: %s -> %s"
        .formatted(
            change.name(),
            change.now().isEmpty() ? "not known" : change.now(),
            change.isRemoval() ? "take it out" : change.next());
  }

  private static void line(StringBuilder text, String label, String words) {
    if (!words.isEmpty()) {
      String first = INDENT + (label.isEmpty() ? "" : "%-8s".formatted(label.strip()));
      String rest = INDENT + (label.isEmpty() ? "" : " ".repeat(8));
      text.append(Wrapped.text(first, rest, FindingsText.visible(words)));
    }
  }
}
