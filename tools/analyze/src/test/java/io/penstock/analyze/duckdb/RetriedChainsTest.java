/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No attempt of a chain that may have been tried again is passed over. */
class RetriedChainsTest {
  private static final int FILES = 3;
  private static final int ROWS_OF_A_FILE = 40_000;
  private static final int CHAINS = 60_000;

  @TempDir private Path directory;

  /** The rows that tell of a retry, each by what it sets. */
  private static final List<Consumer<RequestRow>> TELLING =
      List.of(
          row -> row.text(RequestColumn.ERR, "SlowDown"),
          row -> row.number(RequestColumn.STATUS, 403),
          row -> {
            row.api(S3Api.COMPLETE_UPLOAD);
            row.number(RequestColumn.STATUS, 404);
          },
          row -> {
            row.api(S3Api.UPLOAD_PART);
            row.number(RequestColumn.TOTAL_US, 1_000_001);
          },
          row -> {
            row.api(S3Api.PUT_OBJECT);
            row.text(RequestColumn.SOURCE, "client_log");
          },
          row -> {
            row.api(S3Api.PUT_OBJECT);
            row.text(RequestColumn.SOURCE, "request_log");
          });

  private static final List<Consumer<RequestRow>> OTHERS =
      List.of(
          row -> {},
          row -> row.number(RequestColumn.STATUS, 206),
          row -> {
            row.api(S3Api.HEAD_OBJECT);
            row.number(RequestColumn.STATUS, 404);
            row.text(RequestColumn.ERR, "NoSuchKey");
          },
          row -> {
            row.api(S3Api.UPLOAD_PART);
            row.number(RequestColumn.TOTAL_US, 1_000_000);
          },
          row -> {
            row.api(S3Api.GET_OBJECT);
            row.number(RequestColumn.TOTAL_US, 9_000_000);
          });

  /** With few bits for the chains, many other rows are marked. */
  @ParameterizedTest
  @ValueSource(longs = {1, 400_000, 40_000_000})
  void allAttemptsOfSuchChainsAreMarked(long expected) throws IOException {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    RetriedChains retried = new RetriedChains(expected);
    Set<Long> wanted = new HashSet<>();
    Set<Long> all = new HashSet<>();
    List<RequestFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      RequestFile file = new RequestFile(directory.resolve("requests-" + i + ".parquet"));
      RetriedChains.Reader reader = retried.new Reader();
      for (int row = 0; row < ROWS_OF_A_FILE; row++) {
        long chain = new SplittableRandom(random.nextInt(CHAINS)).nextLong();
        boolean isTelling = random.nextInt(5) == 0;
        List<Consumer<RequestRow>> kinds = isTelling ? TELLING : OTHERS;
        RequestRow request = row(chain, kinds.get(random.nextInt(kinds.size())));
        file.add(request);
        reader.add(request);
        all.add(chain);
        if (isTelling) {
          wanted.add(chain);
        }
      }
      reader.end();
      file.close();
      files.add(file);
    }
    retried.mark(files);
    int wantedCount = wanted.size();
    Set<Long> marked = chains(files, RequestFile.RETRIED);
    String replay = "replay with -Dtest=RetriedChainsTest -Dpenstock.test.seed=" + seed;
    wanted.removeAll(marked);
    assertThat(wanted).as("wanted, and not marked; " + replay).isEmpty();
    // A row is marked or not by its chain alone.
    Set<Long> both = chains(files, "not " + RequestFile.RETRIED);
    both.retainAll(marked);
    assertThat(both).as("in marked rows and in others; " + replay).isEmpty();
    if (expected > ROWS_OF_A_FILE) {
      assertThat(marked.size()).isLessThan(wantedCount + (all.size() - wantedCount) / 4);
    }
  }

  @Test
  void allRowsAreMarkedWhereChainsAreFew() throws IOException {
    RetriedChains retried = new RetriedChains(100);
    RequestFile file = new RequestFile(directory.resolve("requests-0.parquet"));
    RetriedChains.Reader reader = retried.new Reader();
    for (int row = 0; row < 100; row++) {
      RequestRow request = row(row % 3, OTHERS.get(0));
      file.add(request);
      reader.add(request);
    }
    reader.end();
    file.close();
    retried.mark(List.of(file));
    assertThat(chains(List.of(file), RequestFile.RETRIED)).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(chains(List.of(file), "not " + RequestFile.RETRIED)).isEmpty();
  }

  private static RequestRow row(long chain, Consumer<RequestRow> kind) {
    RequestRow row = new RequestRow();
    row.text(RequestColumn.SOURCE, "access_log");
    row.number(RequestColumn.STATUS, 200);
    row.number(RequestColumn.CHAIN, chain);
    kind.accept(row);
    return row;
  }

  private Set<Long> chains(List<RequestFile> files, String condition) throws IOException {
    List<Path> paths = files.stream().map(RequestFile::path).toList();
    String query = RequestStore.query(paths, false);
    try (DuckEngine engine = DuckEngine.open(directory.resolve("engine"), 200, 2)) {
      return new HashSet<>(
          engine
              .rows(
                  "select distinct chain from (%s) where %s".formatted(query, condition),
                  List.of(new Column("chain", Kind.COUNT)))
              .stream()
              .map(row -> (Long) row.get(0))
              .toList());
    }
  }
}
