/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.dns;

import io.penstock.analyze.input.Head;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts how often names were looked up, how often in vain, and how long it took: from the lines of
 * CoreDNS's {@code log} plugin, of any number of files. Names are bounded: those that are asked for
 * most are kept, what was asked for others is one row.
 */
public final class DnsQueries {
  static final String OTHERS = "(others)";
  static final int MOST = 1_000;

  /** Met while reading; more than are shown, since the first to come need not be the busiest. */
  private static final int MOST_KEPT = 20_000;

  private static final int MAX_LINE = 8 << 10;

  private record Question(String name, String type) {}

  private final Map<Question, Answers> known = new LinkedHashMap<>();
  private final Answers others = new Answers();
  private long skipped;

  /**
   * Returns true if a file is such a log. Kubernetes may have put time and stream before its lines.
   */
  public static boolean matches(Head head) {
    return head.lines(400).stream().anyMatch(line -> DnsLine.of(line).isPresent());
  }

  /** Reads a log to its end; the stream stays open. */
  public void read(InputStream text) throws IOException {
    Reader lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
    StringBuilder line = new StringBuilder();
    for (int c = lines.read(); c >= 0; c = lines.read()) {
      if (c == '\n') {
        line(line);
      } else if (line.length() < MAX_LINE) {
        line.append((char) c);
      }
    }
    line(line);
  }

  private synchronized void line(StringBuilder text) {
    DnsLine.of(text.toString()).ifPresentOrElse(this::add, () -> skipped++);
    text.setLength(0);
  }

  private void add(DnsLine line) {
    Question question = new Question(line.name(), line.type());
    Answers answers = known.get(question);
    if (answers == null && known.size() < MOST_KEPT) {
      answers = new Answers();
      known.put(question, answers);
    }
    (answers == null ? others : answers).add(line);
  }

  /** Lines that were no query. */
  public synchronized long skipped() {
    return skipped;
  }

  /** The names asked for most, {@code dns_queries}. */
  public synchronized Table table() {
    List<Map.Entry<Question, Answers>> busiest = new ArrayList<>(known.entrySet());
    busiest.sort(
        Comparator.comparingLong((Map.Entry<Question, Answers> e) -> e.getValue().queries())
            .reversed()
            .thenComparing(e -> e.getKey().name())
            .thenComparing(e -> e.getKey().type()));
    Answers rest = new Answers();
    rest.add(others);
    List<List<Object>> rows = new ArrayList<>();
    for (Map.Entry<Question, Answers> entry : busiest) {
      if (rows.size() < MOST) {
        rows.add(row(entry.getKey(), entry.getValue()));
      } else {
        rest.add(entry.getValue());
      }
    }
    if (rest.queries() > 0) {
      rows.add(row(new Question(OTHERS, OTHERS), rest));
    }
    return new Table(
        "dns_queries",
        "Names looked up",
        List.of(
            new Column("name", Kind.TEXT),
            new Column("type", Kind.TEXT),
            new Column("queries", Kind.COUNT),
            new Column("nxdomain", Kind.COUNT),
            new Column("p95_ms", Kind.MILLIS)),
        rows);
  }

  private static List<Object> row(Question question, Answers answers) {
    return List.of(
        question.name(),
        question.type(),
        answers.queries(),
        answers.missing(),
        answers.percentile(0.95));
  }
}
