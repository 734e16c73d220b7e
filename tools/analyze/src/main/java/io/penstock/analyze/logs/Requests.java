/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.analysis.RequestScope;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Defines s3_requests, which contains each request once. Several logs may contain the same
 * requests; for each bucket the source with the most information is used.
 */
final class Requests {
  private static final String IS_WAIT = "api = 'Wait'";
  // So that no query reads all requests where none can be found.
  private static final String NEVER = "1 = 0";

  private static final List<Column> SOURCES =
      Column.list("is_wait flag, bucket text, source text, requests count");

  private Requests() {}

  static Choice define(QueryEngine engine, String all, Filter filter) throws IOException {
    engine.define(
        "s3_sources",
        "select %s as is_wait, bucket, source, count(*) as requests from %s group by 1, 2, 3"
            .formatted(IS_WAIT, all));
    List<List<Object>> sources = new ArrayList<>();
    boolean hasWaits = false;
    for (List<Object> row :
        engine.rows(
            "select is_wait, bucket, source, requests from s3_sources order by 2, 3", SOURCES)) {
      if (Boolean.FALSE.equals(row.get(0))) {
        sources.add(row.subList(1, row.size()));
      } else {
        hasWaits = true;
      }
    }
    refuseAbsent(filter, sources);
    List<Choice.Left> left = left(sources, filter);
    List<String> conditions = new ArrayList<>(filter.conditions());
    if (hasWaits) {
      conditions.add("not " + IS_WAIT);
    }
    for (Choice.Left one : left) {
      conditions.add(
          "not (coalesce(bucket, '') = %s and source = %s)"
              .formatted(Filter.literal(one.bucket()), Filter.literal(one.source())));
    }
    List<String> ofWaits = new ArrayList<>(filter.conditions());
    ofWaits.add(hasWaits ? IS_WAIT : NEVER);
    engine.view(RequestScope.FILTERED, view(all, conditions));
    engine.view(RequestScope.REQUESTS, "select * from " + RequestScope.FILTERED);
    engine.view(RequestScope.FILTERED_WAITS, view(all, ofWaits));
    engine.view(RequestScope.WAITS, "select * from " + RequestScope.FILTERED_WAITS);
    return new Choice(engine.repeats(), left);
  }

  private static void refuseAbsent(Filter filter, List<List<Object>> sources) {
    if (filter.source().isPresent() && !sources.isEmpty() && !has(sources, filter.source().get())) {
      throw new IllegalArgumentException(
          "no request in these logs is from the source %s; there are some from %s"
              .formatted(
                  filter.source().get(),
                  sources.stream()
                      .map(row -> (String) row.get(1))
                      .distinct()
                      .collect(Collectors.joining(", "))));
    }
  }

  private static List<Choice.Left> left(List<List<Object>> sources, Filter filter) {
    Map<Object, List<List<Object>>> byBucket = new HashMap<>();
    for (List<Object> row : sources) {
      byBucket.computeIfAbsent(row.get(0), bucket -> new ArrayList<>()).add(row);
    }
    List<Choice.Left> left = new ArrayList<>();
    for (List<List<Object>> rows : byBucket.values()) {
      String taken =
          filter.source().filter(wanted -> has(rows, wanted)).orElseGet(() -> best(rows));
      for (List<Object> row : rows) {
        if (row.get(0) != null && !taken.equals(row.get(1))) {
          left.add(
              new Choice.Left((String) row.get(0), (String) row.get(1), (Long) row.get(2), taken));
        }
      }
    }
    left.sort(
        java.util.Comparator.comparing(Choice.Left::bucket).thenComparing(Choice.Left::source));
    return left;
  }

  private static String best(List<List<Object>> rows) {
    return Filter.SOURCES.stream().filter(source -> has(rows, source)).findFirst().orElseThrow();
  }

  private static boolean has(List<List<Object>> rows, String source) {
    return rows.stream().anyMatch(row -> source.equals(row.get(1)));
  }

  private static String view(String all, List<String> conditions) {
    return "select *, total_us / 1000.0 as total_ms, ttfb_us / 1000.0 as ttfb_ms,"
        + " wait_us / 1000.0 as wait_ms from "
        + all
        + (conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions));
  }
}
