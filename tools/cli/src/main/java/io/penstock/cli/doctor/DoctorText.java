/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.doctor;

import io.penstock.cli.print.FindingsText;
import io.penstock.cli.print.Wrapped;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.DoctorReport;
import io.penstock.doctor.DoctorReport.Effective;
import io.penstock.doctor.DoctorReport.Line;
import io.penstock.doctor.Verdict;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats the results of the doctor for a terminal of 80 columns. */
final class DoctorText {
  private static final int WIDTH = 80;
  private static final int NAME = 19;
  private static final int SETTING = 46;
  private static final String INDENT = " ".repeat(8 + NAME);

  private DoctorText() {}

  static String of(DoctorReport report) {
    StringBuilder text = new StringBuilder(FindingsText.visible(report.target())).append('\n');
    String group = "";
    for (Line line : report.lines()) {
      if (!line.group().equals(group)) {
        group = line.group();
        text.append('\n').append(group).append('\n');
      }
      text.append(of(line.outcome()));
    }
    if (!report.settings().isEmpty()) {
      text.append("\neffective settings\n");
      report.settings().forEach(setting -> text.append(of(setting)));
    }
    return text.append('\n').append(sum(report)).append('\n').toString();
  }

  private static String of(CheckOutcome outcome) {
    String first = "  %-4s  %s".formatted(word(outcome.verdict()), padded(outcome.check()));
    String text = Wrapped.text(first, INDENT, FindingsText.visible(outcome.said()));
    return outcome.fix().isEmpty()
        ? text
        : text + Wrapped.text(INDENT + "> ", INDENT + "  ", FindingsText.visible(outcome.fix()));
  }

  private static String padded(String name) {
    String shown = name + " ".repeat(Math.max(0, NAME - name.length()));
    return name.length() < NAME ? shown : shown + "  ";
  }

  /** Returns the word for a verdict. Failures are visible without colours. */
  private static String word(Verdict verdict) {
    return switch (verdict) {
      case PASS -> "pass";
      case WARN -> "WARN";
      case FAIL -> "FAIL";
      case SKIPPED -> "skip";
    };
  }

  private static String of(Effective setting) {
    String name = "  " + setting.name();
    String value = "%-12s  %s".formatted(FindingsText.visible(setting.value()), setting.state());
    boolean fits = name.length() < SETTING && SETTING + value.length() <= WIDTH;
    return fits
        ? name + " ".repeat(SETTING - name.length()) + value + "\n"
        : name + "\n      " + value + "\n";
  }

  private static String sum(DoctorReport report) {
    List<Verdict> order = List.of(Verdict.FAIL, Verdict.WARN, Verdict.PASS, Verdict.SKIPPED);
    String counts =
        order.stream()
            .flatMap(
                verdict ->
                    report.count(verdict) == 0
                        ? Stream.empty()
                        : Stream.of(report.count(verdict) + " " + words(verdict)))
            .collect(Collectors.joining(", "));
    return counts + ".";
  }

  private static String words(Verdict verdict) {
    return switch (verdict) {
      case PASS -> "passed";
      case WARN -> "to look at";
      case FAIL -> "failed";
      case SKIPPED -> "skipped";
    };
  }
}
