/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.dns;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.TextLines;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.TableShape;
import java.io.IOException;
import java.io.InputStream;
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

  private static final TableShape<Map.Entry<Question, DnsAnswers>> TABLE =
      new TableShape<Map.Entry<Question, DnsAnswers>>("dns_queries", "Names looked up")
          .with("name", Kind.TEXT, row -> row.getKey().name())
          .with("type", Kind.TEXT, row -> row.getKey().type())
          .with("queries", Kind.COUNT, row -> row.getValue().queries())
          .with("nxdomain", Kind.COUNT, row -> row.getValue().missing())
          .with("p95_ms", Kind.MILLIS, row -> row.getValue().percentile(0.95));

  private final Map<Question, DnsAnswers> known = new LinkedHashMap<>();
  private final DnsAnswers others = new DnsAnswers();

  /**
   * Returns true if a file is a CoreDNS log. Kubernetes may have added the time and the stream
   * before each line.
   */
  public static boolean matches(Head head) {
    return head.lines(400).stream().anyMatch(line -> DnsLine.of(line).isPresent());
  }

  /** Reads a log to its end. Does not close the stream. */
  public void read(InputStream text) throws IOException {
    TextLines lines = new TextLines(text, MAX_LINE);
    while (lines.next()) {
      String line = new String(lines.line(), 0, lines.length(), StandardCharsets.UTF_8);
      DnsLine.of(line).ifPresent(this::add);
    }
  }

  private synchronized void add(DnsLine line) {
    Question question = new Question(line.name(), line.type());
    DnsAnswers answers = known.get(question);
    if (answers == null && known.size() < MOST_KEPT) {
      answers = new DnsAnswers();
      known.put(question, answers);
    }
    (answers == null ? others : answers).add(line);
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
    List<Map.Entry<Question, DnsAnswers>> rows = new ArrayList<>();
    for (Map.Entry<Question, DnsAnswers> entry : busiest) {
      if (rows.size() < MOST) {
        rows.add(entry);
      } else {
        rest.add(entry.getValue());
      }
    }
    if (rest.queries() > 0) {
      rows.add(Map.entry(new Question(OTHERS, OTHERS), rest));
    }
    return TABLE.of(rows);
  }
}
