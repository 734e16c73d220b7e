/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.TableShape;
import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The troubles that logs of drivers and executors tell of. A stack trace repeats a message for each
 * cause: what is told at one time by one process counts once. Safe for use by several threads.
 */
public final class Troubles implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Occurrences beyond these are not counted apart. */
  private static final int MOST = 100_000;

  private static final int MOST_APPS = 10_000;

  private record Key(String app, Trouble trouble) implements Comparable<Key>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public int compareTo(Key other) {
      int order = trouble.compareTo(other.trouble);
      return order != 0 ? order : app.compareTo(other.app);
    }
  }

  private static final class Seen implements Serializable {
    private static final long serialVersionUID = 1L;

    final Set<String> executors = new HashSet<>();
    final Set<String> occurrences = new HashSet<>();
    long firstMicros;
    long lastMicros;
    String example = "";

    void at(long micros, String text) {
      if (example.isEmpty() || (micros != 0 && micros < firstMicros)) {
        example = text;
      }
      if (micros != 0) {
        firstMicros = firstMicros == 0 ? micros : Math.min(firstMicros, micros);
        lastMicros = Math.max(lastMicros, micros);
      }
    }

    /** Returns how many executors are named; where none is, how often it was told. */
    int times() {
      return Math.max(1, executors.isEmpty() ? occurrences.size() : executors.size());
    }

    void add(Seen other) {
      if (occurrences.size() < MOST) {
        occurrences.addAll(other.occurrences);
      }
      if (executors.size() < MOST) {
        executors.addAll(other.executors);
      }
      at(other.firstMicros, other.example);
      lastMicros = Math.max(lastMicros, other.lastMicros);
    }
  }

  private static final TableShape<Map.Entry<Key, Seen>> TABLE =
      new TableShape<Map.Entry<Key, Seen>>(
              "log_troubles", "Troubles in the logs of drivers and executors")
          .with("app_id", Kind.TEXT, row -> row.getKey().app.isEmpty() ? null : row.getKey().app)
          .with("trouble", Kind.TEXT, row -> row.getKey().trouble.words())
          .with("times", Kind.COUNT, row -> row.getValue().times())
          .with("started", Kind.TIME, row -> instant(row.getValue().firstMicros))
          .with("ended", Kind.TIME, row -> instant(row.getValue().lastMicros))
          .with("example", Kind.TEXT, row -> row.getValue().example);

  private final TreeMap<Key, Seen> troubles = new TreeMap<>();

  /** Returns words of which every line that tells of trouble has one, for a quick look. */
  public static Stream<String> marks() {
    return Stream.of(Trouble.MARKS);
  }

  /**
   * Adds what a line tells of.
   *
   * @param app the application that wrote it; empty when it is unknown
   * @param micros when it was written, since 1970 UTC; 0 when that is unknown
   * @param place identifies the process and the time
   */
  public void read(String app, long micros, String line, String place) {
    Trouble.in(line)
        .ifPresent(
            trouble -> {
              Seen one = new Seen();
              trouble.executor(line).ifPresent(one.executors::add);
              trouble.occurrence(line, place).ifPresent(one.occurrences::add);
              one.at(micros, trouble.example(line));
              add(new Key(app, trouble), one);
            });
  }

  private synchronized void add(Key key, Seen seen) {
    if (troubles.size() < MOST_APPS || troubles.containsKey(key)) {
      troubles.computeIfAbsent(key, any -> new Seen()).add(seen);
    }
  }

  /** Adds what was read elsewhere. */
  public void add(Troubles other) {
    other.troubles.forEach(this::add);
  }

  /** Returns the table {@code log_troubles}: a row for each application and trouble. */
  public synchronized Table table() {
    Map<Key, Seen> told = new TreeMap<>();
    troubles.forEach(
        (key, seen) -> {
          Seen rest = key.trouble == Trouble.LOST ? unexplained(key.app, seen) : seen;
          if (key.trouble != Trouble.LOST || !rest.executors.isEmpty()) {
            told.put(key, rest);
          }
        });
    // Of an executor that was killed for want of memory, other lines tell the signal only.
    told.entrySet()
        .removeIf(
            one -> {
              Seen killed = troubles.get(new Key(one.getKey().app, Trouble.KILLED));
              return one.getKey().trouble == Trouble.SIGNAL
                  && killed != null
                  && killed.times() >= one.getValue().times();
            });
    return TABLE.of(told.entrySet());
  }

  /** Returns those of the lost executors of which no line tells that they were killed. */
  private Seen unexplained(String app, Seen lost) {
    Seen rest = new Seen();
    rest.add(lost);
    for (Trouble kind : List.of(Trouble.KILLED, Trouble.SIGNAL)) {
      Seen killed = troubles.get(new Key(app, kind));
      rest.executors.removeAll(killed == null ? Set.of() : killed.executors);
    }
    return rest;
  }

  private static Instant instant(long micros) {
    return micros == 0 ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
