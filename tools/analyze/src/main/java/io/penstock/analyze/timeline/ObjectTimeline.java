/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.timeline;

import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.html.Page;
import io.penstock.analyze.html.PageSection;
import io.penstock.analyze.html.RetryPlots;
import io.penstock.analyze.html.TableItem;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * All attempts at requests for one object, in the order in which they began.
 *
 * @param object the bucket and the key
 * @param attempts a row for each attempt: when it {@code started} and {@code ended}, {@code
 *     took_ms}, {@code api}, {@code part_no}, which try of its request it was (from 1; null if the
 *     log does not tell), {@code status}, {@code answer} (ok, an error code, or why it was cut),
 *     bytes {@code sent} and {@code got}, {@code host} that asked, {@code request_id}
 * @param isCut whether there are more attempts than these
 */
public record ObjectTimeline(String object, Table attempts, boolean isCut) {
  private static final Analysis OBJECTS = named("objects.sql");
  private static final Analysis SLOWEST = named("slowest.sql");
  private static final Analysis ATTEMPTS = named("attempts.sql");
  private static final int SHOWN_MAX = 10;

  /** More bars than these show nothing, and a key may be read millions of times. */
  private static final int ATTEMPTS_MAX = 1_000;

  private static Analysis named(String name) {
    return Analysis.named(ObjectTimeline.class, name);
  }

  /**
   * Finds the object and its attempts.
   *
   * @param wanted a key, the end of a key, a piece of a key that is the end of none, {@code
   *     s3://BUCKET/KEY}, or the id of an upload; of an upload, only its own requests are returned.
   *     If empty, the object of the slowest request
   * @throws IllegalArgumentException when the logs have no such object, or several
   */
  public static ObjectTimeline of(QueryEngine engine, Optional<String> wanted) throws IOException {
    Table found = wanted.isPresent() ? find(engine, wanted.get()) : SLOWEST.run(engine);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          wanted.isPresent()
              ? "the logs have no request for the key or upload " + wanted.get()
              : "the logs have no request whose duration is known");
    }
    engine.load(
        table(
            "timeline_object",
            List.of("bucket", "key", "upload"),
            List.of(found.rows().get(0).subList(0, 3))));
    String object = found.text(0, "bucket") + "/" + found.text(0, "key");
    Table all = ATTEMPTS.run(engine);
    boolean isCut = all.rows().size() > ATTEMPTS_MAX;
    List<List<Object>> first = isCut ? all.rows().subList(0, ATTEMPTS_MAX) : all.rows();
    return new ObjectTimeline(object, new Table(all.label(), all.columns(), first), isCut);
  }

  private static Table find(QueryEngine engine, String wanted) throws IOException {
    String text = wanted.replaceFirst("^s3[an]?://", "");
    engine.load(table("timeline_wanted", List.of("text"), List.of(List.of(text))));
    Table found = OBJECTS.run(engine);
    long best = found.isEmpty() ? 0 : found.count(0, "rank");
    long equal = found.rows().stream().filter(row -> row.get(3).equals(best)).count();
    if (equal > 1) {
      throw new IllegalArgumentException(several(found, wanted, equal));
    }
    return found;
  }

  private static String several(Table found, String wanted, long equal) {
    StringBuilder text = new StringBuilder("several objects are called " + wanted + ". Name one:");
    for (int row = 0; row < Math.min(equal, SHOWN_MAX); row++) {
      String object = found.text(row, "bucket") + "/" + found.text(row, "key");
      text.append("\n  s3://").append(Values.visible(object));
    }
    return equal > SHOWN_MAX ? text + "\n  and more" : text.toString();
  }

  private static Table table(String id, List<String> names, List<List<Object>> rows) {
    List<Column> columns = names.stream().map(name -> new Column(name, Kind.TEXT)).toList();
    return new Table(id, id, columns, rows);
  }

  /** Returns the numbers in one sentence. */
  public String summary() {
    long repeated = 0;
    double slowest = 0;
    for (int row = 0; row < attempts.rows().size(); row++) {
      repeated += attempts.count(row, "attempt") > 1 ? 1 : 0;
      slowest = Math.max(slowest, attempts.number(row, "took_ms"));
    }
    return String.format(
        Locale.ROOT,
        "%s%d attempts at %d requests; the slowest took %.1f s",
        isCut ? "the first " : "",
        attempts.rows().size(),
        attempts.rows().size() - repeated,
        slowest / 1000);
  }

  /** Returns the timeline as a page with a plot and the table. */
  public Page page() {
    return new Page(
        "s3://" + object,
        List.of(summary()),
        List.of(),
        List.of(),
        List.of(
            new PageSection(
                "Every attempt",
                "From its start to its end, as the log has it.",
                List.of(
                    RetryPlots.timeline(attempts, "s3://" + object).withSql(ATTEMPTS.sql()),
                    new TableItem(attempts, "", ATTEMPTS.sql())))));
  }
}
