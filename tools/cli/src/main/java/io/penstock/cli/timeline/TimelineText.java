/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.timeline;

import io.penstock.analyze.timeline.ObjectTimeline;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Formats a timeline for a terminal of 80 columns: first when each attempt began and ended and what
 * was answered, then a bar for each from its start to its end.
 */
final class TimelineText {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int WIDTH = 80;
  private static final int MARGIN = 2;
  private static final int ANSWER_MAX = 18;
  private static final int LABEL_MAX = 44;

  private TimelineText() {}

  static String of(ObjectTimeline timeline) {
    Table attempts = timeline.attempts();
    StringBuilder text = new StringBuilder();
    text.append("  ").append(Values.visible("s3://" + timeline.object())).append('\n');
    text.append("  ").append(timeline.summary());
    if (!attempts.isEmpty()) {
      text.append(";\n  on ").append(DAY.format(started(attempts, 0))).append(" UTC");
    }
    Set<String> hosts = hosts(attempts);
    if (hosts.size() == 1) {
      text.append(", all from ").append(Values.visible(hosts.iterator().next()));
    }
    text.append("\n\n").append(rows(attempts)).append('\n').append(bars(attempts));
    if (timeline.isCut()) {
      text.append("  and more: --from and --to choose a time\n");
    }
    return text.toString();
  }

  private static Instant started(Table attempts, int row) {
    return (Instant) attempts.at(row, "started");
  }

  private static Instant ended(Table attempts, int row) {
    return (Instant) attempts.at(row, "ended");
  }

  private static Set<String> hosts(Table attempts) {
    Set<String> hosts = new TreeSet<>();
    for (int row = 0; row < attempts.rows().size(); row++) {
      hosts.add(attempts.text(row, "host"));
    }
    hosts.remove("");
    return hosts;
  }

  private static String rows(Table attempts) {
    AlignedRows rows = new AlignedRows("started", "ended", "request", "try", "answer");
    for (int row = 0; row < attempts.rows().size(); row++) {
      rows.row(
          TIME.format(started(attempts, row)),
          TIME.format(ended(attempts, row)),
          request(attempts, row),
          attempts.at(row, "attempt") == null ? "-" : attempts.text(row, "attempt"),
          answer(attempts, row));
    }
    return rows.toString();
  }

  private static String request(Table attempts, int row) {
    String part = attempts.at(row, "part_no") == null ? "" : " " + attempts.count(row, "part_no");
    return Values.visible(attempts.text(row, "api")) + part;
  }

  private static String answer(Table attempts, int row) {
    String said = Values.visible(attempts.text(row, "answer"));
    String status = attempts.text(row, "status");
    return Values.cut(
        said.equals("ok") || status.isEmpty() ? said : status + " " + said, ANSWER_MAX);
  }

  private static String bars(Table attempts) {
    boolean isFromMany = hosts(attempts).size() > 1;
    List<String> labels = new ArrayList<>();
    int label = 0;
    long begin = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (int row = 0; row < attempts.rows().size(); row++) {
      String from = isFromMany ? ", " + Values.visible(attempts.text(row, "host")) : "";
      String again = attempts.count(row, "attempt") > 1 ? " again" : "";
      labels.add(Values.cut(request(attempts, row) + again + from, LABEL_MAX));
      label = Math.max(label, labels.get(row).length());
      begin = Math.min(begin, started(attempts, row).toEpochMilli());
      to = Math.max(to, ended(attempts, row).toEpochMilli());
    }
    int took = 10;
    int width = WIDTH - MARGIN - label - 1 - took - 2;
    double perColumn = Math.max(1.0, (double) (to - begin)) / width;
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < labels.size(); row++) {
      long start = started(attempts, row).toEpochMilli() - begin;
      long end = ended(attempts, row).toEpochMilli() - begin;
      int first = Math.min(width - 1, (int) (start / perColumn));
      int last = Math.max(first + 1, (int) Math.ceil(end / perColumn));
      String bar = " ".repeat(first) + mark(attempts, row).repeat(Math.min(width, last) - first);
      String line =
          " ".repeat(MARGIN)
              + pad(labels.get(row), label)
              + " |"
              + pad(bar, width)
              + " "
              + Values.of(Kind.MILLIS, attempts.number(row, "took_ms"));
      text.append(line.stripTrailing()).append('\n');
    }
    return text.toString();
  }

  /** Returns the letter of a bar: = was answered well, x was refused or cut. */
  private static String mark(Table attempts, int row) {
    return attempts.text(row, "answer").equals("ok") ? "=" : "x";
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
