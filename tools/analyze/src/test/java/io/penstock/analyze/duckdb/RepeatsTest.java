/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first record of each request counts, in whatever order the records are read. */
class RepeatsTest {
  private static final int FILES = 3;
  private static final int ROWS_OF_A_FILE = 40_000;

  @TempDir private Path directory;

  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::file).thenComparing(Place::position);

  private record Place(long file, long position) {}

  /** With few bits for the records, nearly every record is a suspect. */
  @ParameterizedTest
  @ValueSource(longs = {1, 100_000, 10_000_000})
  void theFirstRecordOfEachRequestCounts(long expected) throws IOException {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    SeenRecords seen = new SeenRecords(expected);
    Map<Long, Place> firsts = new HashMap<>();
    Set<Place> kept = new HashSet<>();
    List<RequestFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      RequestFile file = new RequestFile(directory.resolve("requests-" + i + ".parquet"));
      HashBits.Adder reader = seen.reader();
      for (int row = 0; row < ROWS_OF_A_FILE; row++) {
        Place place = new Place(random.nextInt(20), random.nextLong(1L << 40));
        long record = mixed(random.nextInt(2_000_000));
        boolean isKnown = random.nextInt(10) > 0;
        file.add(row(place, isKnown, record));
        if (isKnown) {
          reader.add(record);
          firsts.merge(record, place, RepeatsTest::first);
        } else {
          kept.add(place);
        }
      }
      reader.end();
      file.close();
      files.add(file);
    }
    kept.addAll(firsts.values());
    try (DuckEngine engine = DuckEngine.open(directory.resolve("engine"), 200, 2)) {
      Repeats.mark(engine, files, seen);
      List<Path> paths = files.stream().map(RequestFile::path).toList();
      assertThat(places(engine, RequestStore.query(paths, true)))
          .as("replay with -Dtest=RepeatsTest -Dpenstock.test.seed=" + seed)
          .isEqualTo(kept.stream().sorted(ORDER).toList());
      assertThat(
              engine.rows(RequestStore.queryRepeats(paths), List.of(new Column("n", Kind.COUNT))))
          .containsExactly(List.of((long) FILES * ROWS_OF_A_FILE - kept.size()))
          .doesNotContain(List.of(0L));
    }
  }

  @Test
  void whatStandsOnceIsHardlyEverSuspected() {
    SeenRecords seen = new SeenRecords(1_000_000);
    HashBits.Adder reader = seen.reader();
    for (int i = 0; i < 1_000_000; i++) {
      reader.add(mixed(i));
    }
    reader.end();
    assertThat(seen.suspects()).hasSizeBetween(1_000, 1_000_000 / 30);
    assertThat(seen.isAnyone()).isFalse();
  }

  @Test
  void whatStandsTwiceIsSuspectedWhoeverReadsIt() throws InterruptedException {
    SeenRecords seen = new SeenRecords(200_000);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(
          new Thread(
              () -> {
                HashBits.Adder reader = seen.reader();
                for (int record = 0; record < 100_000; record++) {
                  reader.add(mixed(record));
                }
                reader.end();
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    Set<Long> suspects = new HashSet<>();
    for (long suspect : seen.suspects()) {
      suspects.add(suspect);
    }
    assertThat(suspects).hasSize(100_000);
  }

  @Test
  void withTooManySuspectsEveryRecordIsOne() {
    SeenRecords seen = new SeenRecords(1);
    HashBits.Adder reader = seen.reader();
    for (int i = 0; i < 9_000_000; i++) {
      reader.add(mixed(i));
    }
    reader.end();
    assertThat(seen.isAnyone()).isTrue();
  }

  private static RequestRow row(Place place, boolean isKnown, long record) {
    RequestRow row = new RequestRow();
    row.number(RequestColumn.FILE, place.file());
    row.number(RequestColumn.POSITION, place.position());
    if (isKnown) {
      row.number(RequestColumn.RECORD, record);
    }
    return row;
  }

  private static Place first(Place one, Place other) {
    return ORDER.compare(one, other) <= 0 ? one : other;
  }

  private static List<Place> places(DuckEngine engine, String query) throws IOException {
    List<Column> columns =
        List.of(new Column("file", Kind.COUNT), new Column("position", Kind.COUNT));
    return engine.rows("select file, position from (" + query + ") order by 1, 2", columns).stream()
        .map(row -> new Place((Long) row.get(0), (Long) row.get(1)))
        .toList();
  }

  private static long mixed(long number) {
    return new SplittableRandom(number).nextLong();
  }
}
