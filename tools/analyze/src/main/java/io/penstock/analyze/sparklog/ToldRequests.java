/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.Redaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums of requests that Penstock's event in an event log tells. Each event has all since the start
 * of the application, so the last one counts.
 *
 * @param what they are the sum of: {@code all}, {@code operation}, {@code query}, {@code stage},
 *     {@code path} or {@code executor}
 * @param name of what it is; null for all
 * @param at the time of the event
 * @param isFinal whether the application had ended by then
 * @param p50Millis null where it is not told
 * @param sums null where only the number of requests is told
 */
record ToldRequests(
    String what,
    String name,
    Instant at,
    boolean isFinal,
    long requests,
    Double p50Millis,
    Double p99Millis,
    SparkEvent sums,
    Double dollars) {

  /** No time in milliseconds and no sum of dollars is so large. */
  private static final double MOST = 1e12;

  /** Returns what the event tells, as far as it is known here: later versions may add to it. */
  static List<ToldRequests> of(SparkEvent event) {
    SparkEvent report = event.object("report");
    Instant at = report.time("nowMillis");
    boolean isFinal = report.flag("isFinal");
    List<ToldRequests> told = new ArrayList<>();
    SparkEvent total = report.object("total");
    told.add(
        new ToldRequests(
            "all",
            null,
            at,
            isFinal,
            requests(total),
            null,
            null,
            total,
            number(report, "dollars")));
    for (SparkEvent one : report.objects("operations")) {
      told.add(
          new ToldRequests(
              "operation",
              Redaction.label(one.text("operation")),
              at,
              isFinal,
              one.count("requests"),
              number(one, "p50Millis"),
              number(one, "p99Millis"),
              null,
              null));
    }
    for (SparkEvent one : report.objects("queries")) {
      told.add(row("query", numbered("query", one), at, isFinal, one));
    }
    for (SparkEvent one : report.objects("stages")) {
      String name = numbered("query", one) + ", " + numbered("stage", one);
      told.add(row("stage", name, at, isFinal, one));
    }
    for (SparkEvent one : report.objects("paths")) {
      told.add(row("path", Redaction.label(one.text("name")), at, isFinal, one));
    }
    for (SparkEvent one : report.objects("executors")) {
      told.add(row("executor", Redaction.label(one.text("name")), at, isFinal, one));
    }
    return told;
  }

  private static ToldRequests row(
      String what, String name, Instant at, boolean isFinal, SparkEvent one) {
    return new ToldRequests(
        what,
        name,
        at,
        isFinal,
        one.count("requests"),
        null,
        null,
        one.object("sums"),
        number(one, "dollars"));
  }

  /** Returns the number of the query or the stage, or that there is none. */
  private static String numbered(String field, SparkEvent one) {
    String text = one.text(field);
    boolean isNone = text == null || text.startsWith("-");
    return isNone ? "no " + field : field + " " + Redaction.label(text);
  }

  private static long requests(SparkEvent sums) {
    return sums.count("reads") + sums.count("writes") + sums.count("lists") + sums.count("deletes");
  }

  private static Double number(SparkEvent one, String field) {
    String text = one.text(field);
    try {
      double number = text == null ? -1 : Double.parseDouble(text);
      return number >= 0 && number < MOST ? (Double) number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Returns one of the sums; null where it is not told. */
  Long sum(String field) {
    return sums == null ? null : (Long) sums.count(field);
  }
}
