/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.TableShape;
import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The answers of S3 that the messages of exceptions name: at the default level, logs of drivers and
 * executors have no other trace of S3. The SDK names each attempt of a request that failed, S3A
 * also some that it retried; what was retried without a message is not here. An answer with a
 * request id counts once, however many messages name it; one without counts once for each text.
 * Safe for use by several threads.
 */
public final class ErrorTexts implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String NAMELESS = "@";

  /** Answers beyond these are not counted: nobody reads so many stack traces. */
  private static final int MOST = 200_000;

  private record Key(String app, int status, String code) implements Comparable<Key>, Serializable {
    private static final long serialVersionUID = 1L;

    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::app).thenComparing(Key::status).thenComparing(Key::code);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private record Told(Key key, String exec, long micros) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** The earliest first, those without a time last; total, whatever the order of reading. */
  private static final Comparator<Told> ORDER =
      Comparator.comparing((Told told) -> told.micros == 0)
          .thenComparing(Told::micros)
          .thenComparing(Told::exec)
          .thenComparing(Told::key);

  private static final TableShape<Map.Entry<Key, List<Told>>> TABLE =
      new TableShape<Map.Entry<Key, List<Told>>>("error_messages", "Answers that exceptions name")
          .with("app_id", Kind.TEXT, row -> orNull(row.getKey().app))
          .with("status", Kind.COUNT, row -> row.getKey().status)
          .with("code", Kind.TEXT, row -> orNull(row.getKey().code))
          .with("answers", Kind.COUNT, row -> row.getValue().size())
          .with("executors", Kind.COUNT, row -> executors(row.getValue()))
          .with("seconds", Kind.COUNT, row -> seconds(row.getValue()))
          .with("started", Kind.TIME, row -> instant(times(row.getValue()).min()))
          .with("ended", Kind.TIME, row -> instant(times(row.getValue()).max()));

  private final Map<String, Told> byId = new HashMap<>();

  /**
   * Adds the answers that a text names.
   *
   * @param app the application that wrote the text; empty when it is unknown
   * @param exec the executor that wrote it; empty when it is unknown
   * @param micros when it was written, since 1970 UTC; 0 when that is unknown
   * @param text a line of a log, or a stack trace
   * @param place identifies the text among all that are read
   */
  public void read(String app, String exec, long micros, String text, String place) {
    int nameless = 0;
    for (ErrorText error : ErrorText.in(text)) {
      // A stack trace repeats a message for each cause: without an id, it is counted once.
      if (error.requestId().isEmpty() && nameless++ > 0) {
        continue;
      }
      String id = error.requestId().isEmpty() ? NAMELESS + place : error.requestId();
      Key key = new Key(app, error.status(), error.code());
      add(id, new Told(key, exec, micros));
    }
  }

  private synchronized void add(String id, Told told) {
    if (byId.size() < MOST || byId.containsKey(id)) {
      byId.merge(id, told, ErrorTexts::earlier);
    }
  }

  /** Returns what is known of an answer that two texts name. */
  private static Told earlier(Told one, Told two) {
    boolean isFirst = ORDER.compare(one, two) <= 0;
    Told first = isFirst ? one : two;
    Told last = isFirst ? two : one;
    Key key =
        new Key(
            either(first.key.app, last.key.app),
            first.key.status,
            either(first.key.code, last.key.code));
    return new Told(key, either(first.exec, last.exec), first.micros);
  }

  private static String either(String one, String two) {
    return one.isEmpty() ? two : one;
  }

  /**
   * Returns the answers but for those that are known otherwise.
   *
   * @param ids the ids of attempts
   * @param statuses the statuses of attempts: one that a text names without an id is one of them
   */
  public synchronized ErrorTexts without(Set<String> ids, Set<Integer> statuses) {
    ErrorTexts others = new ErrorTexts();
    byId.forEach(
        (id, told) -> {
          boolean isKnown =
              id.startsWith(NAMELESS) ? statuses.contains(told.key.status) : ids.contains(id);
          if (!isKnown) {
            others.add(id, told);
          }
        });
    return others;
  }

  /** Adds what was read elsewhere. */
  public void add(ErrorTexts other) {
    other.byId.forEach(this::add);
  }

  /** Returns the table {@code error_messages}: a row for each application, status and code. */
  public synchronized Table table() {
    Map<Key, List<Told>> byKey = new TreeMap<>();
    byId.values()
        .forEach(told -> byKey.computeIfAbsent(told.key, key -> new ArrayList<>()).add(told));
    return TABLE.of(byKey.entrySet());
  }

  private static long executors(List<Told> all) {
    return all.stream().map(Told::exec).filter(exec -> !exec.isEmpty()).distinct().count();
  }

  private static long seconds(List<Told> all) {
    return times(all).map(micros -> micros / 1_000_000).distinct().count();
  }

  private static LongStream times(List<Told> all) {
    return all.stream().mapToLong(Told::micros).filter(micros -> micros > 0);
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static Instant instant(OptionalLong micros) {
    return micros.isEmpty() ? null : Instant.EPOCH.plus(micros.getAsLong(), ChronoUnit.MICROS);
  }
}
