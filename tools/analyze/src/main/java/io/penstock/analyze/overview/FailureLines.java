/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.overview;

import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import io.penstock.tables.format.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The lines on what failed in S3 and in the logs of containers, before everything else. */
final class FailureLines {
  private static final int LINES = 4;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 500;
  private static final Set<String> CHECKS = Set.of("HeadObject", "HeadBucket");

  /** Fewer answers of 404 are how clients find out what is there. */
  private static final double MANY_NOT_FOUND_PERCENT = 20;

  /** Fewer other failures are everyday, unless they are of the store. */
  private static final double FAILED_PERCENT = 0.1;

  private FailureLines() {}

  static List<Overview.Line> of(Table troubles, Table told, Table failures) {
    List<Overview.Line> lines = new ArrayList<>();
    for (int row = 0; row < Math.min(LINES, troubles.rows().size()); row++) {
      lines.add(new Overview.Line("Trouble", trouble(troubles, row)));
    }
    String answers = answers(told);
    if (!answers.isEmpty()) {
      lines.add(new Overview.Line("Errors", answers));
    }
    int said = 0;
    for (int row = 0; row < failures.rows().size() && said < LINES; row++) {
      if (isWorthSaying(failures, row)) {
        lines.add(
            new Overview.Line(
                isCheck(failures, row) ? "Missing" : "Failed", failure(failures, row)));
        said++;
      }
    }
    return lines;
  }

  private static String trouble(Table troubles, int row) {
    String when = troubles.at(row, "started") == null ? "" : first(troubles, row);
    return "%s: %s%s: %s"
        .formatted(
            Values.visible(troubles.text(row, "trouble")),
            Counted.of(troubles.count(row, "times"), "time"),
            when,
            Values.visible(troubles.text(row, "example")));
  }

  private static String first(Table troubles, int row) {
    return ", first at " + Values.of(Kind.TIME, troubles.at(row, "started"));
  }

  private static String answers(Table messages) {
    Map<String, Long> byAnswer = new LinkedHashMap<>();
    long all = 0;
    Instant first = Instant.MAX;
    for (int row = 0; row < messages.rows().size(); row++) {
      String code = Values.visible(messages.text(row, "code"));
      long count = messages.count(row, "answers");
      byAnswer.merge((messages.count(row, "status") + " " + code).strip(), count, Long::sum);
      all += count;
      if (messages.at(row, "started") instanceof Instant started && started.isBefore(first)) {
        first = started;
      }
    }
    if (all == 0) {
      return "";
    }
    String answers =
        byAnswer.entrySet().stream()
            .map(
                answer ->
                    String.format(Locale.ROOT, "%,d of %s", answer.getValue(), answer.getKey()))
            .collect(Collectors.joining(", "));
    return "exceptions name %s of S3: %s%s"
        .formatted(
            Counted.of(all, "answer", "answers"),
            answers,
            first.equals(Instant.MAX) ? "" : "; the first at " + Values.of(Kind.TIME, first));
  }

  private static boolean isWorthSaying(Table failures, int row) {
    long status = failures.count(row, "status");
    double percent = failures.number(row, "percent");
    return status == NOT_FOUND
        ? percent >= MANY_NOT_FOUND_PERCENT
        : status >= UNAVAILABLE || percent >= FAILED_PERCENT;
  }

  private static boolean isCheck(Table failures, int row) {
    return failures.count(row, "status") == NOT_FOUND && CHECKS.contains(failures.text(row, "api"));
  }

  private static String failure(Table failures, int row) {
    StringBuilder text = new StringBuilder();
    String answer = failures.at(row, "status") == null ? "" : failures.text(row, "status") + " ";
    text.append((answer + Values.visible(failures.text(row, "error"))).strip());
    text.append(": ").append(Counted.of(failures.count(row, "requests"), "request", "requests"));
    text.append(" (").append(percent(failures, row, "percent")).append(" of all");
    text.append(isCheck(failures, row) ? "; mostly checks whether something is there), " : "), ");
    text.append(percent(failures, row, "path_percent")).append(" of them ");
    text.append(Values.visible(failures.text(row, "api"))).append(" below ");
    text.append(Values.visible(failures.text(row, "path")));
    if (failures.at(row, "who") != null) {
      text.append(", ").append(percent(failures, row, "who_percent")).append(" by ");
      text.append(Values.visible(failures.text(row, "who")));
    }
    return text.toString();
  }

  private static String percent(Table failures, int row, String column) {
    return Values.of(Kind.PERCENT, failures.at(row, column));
  }
}
