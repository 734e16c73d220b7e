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
 * Counts for each name how often it was looked up, how often it did not exist, and how long the
 * answers took. Reads any number of files with lines of CoreDNS's {@code log} plugin. The number of
 * names is bounded: the most frequent names have a row each, and all others share one row.
 */
public final class DnsQueries {
  static final String OTHERS = "(others)";
  static final int MOST = 1_000;

  /**
   * The maximum number of names that are counted while reading. It is larger than the number that
   * the report shows, because the most frequent names may appear late in the log.
   */
  private static final int MOST_KEPT = 20_000;

  private static final int MAX_LINE = 8 << 10;

  private record Question(String name, String type) {}

  private final Map<Question, DnsAnswers> known = new LinkedHashMap<>();
  private final DnsAnswers others = new DnsAnswers();
  private long skipped;

  /**
   * Returns true if a file is a CoreDNS log. Kubernetes may have added the time and the stream
   * before each line.
   */
  public static boolean matches(Head head) {
    return head.lines(400).stream().anyMatch(line -> DnsLine.of(line).isPresent());
  }

  /** Reads a log to its end. Does not close the stream. */
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
    DnsAnswers answers = known.get(question);
    if (answers == null && known.size() < MOST_KEPT) {
      answers = new DnsAnswers();
      known.put(question, answers);
    }
    (answers == null ? others : answers).add(line);
  }

  /** Returns the number of lines that were no query. */
  public synchronized long skipped() {
    return skipped;
  }

  /** Returns the table {@code dns_queries}, which holds the names with the most queries. */
  public synchronized Table table() {
    List<Map.Entry<Question, DnsAnswers>> busiest = new ArrayList<>(known.entrySet());
    busiest.sort(
        Comparator.comparingLong((Map.Entry<Question, DnsAnswers> e) -> e.getValue().queries())
            .reversed()
            .thenComparing(e -> e.getKey().name())
            .thenComparing(e -> e.getKey().type()));
    DnsAnswers rest = new DnsAnswers();
    rest.add(others);
    List<List<Object>> rows = new ArrayList<>();
    for (Map.Entry<Question, DnsAnswers> entry : busiest) {
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

  private static List<Object> row(Question question, DnsAnswers answers) {
    return List.of(
        question.name(),
        question.type(),
        answers.queries(),
        answers.missing(),
        answers.percentile(0.95));
  }
}
