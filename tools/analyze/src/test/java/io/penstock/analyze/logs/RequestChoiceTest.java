/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.analyze.duckdb.DuckEngine;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests are looked at when several logs tell of them. */
class RequestChoiceTest {
  private static final List<Column> KEYS = List.of(new Column("key", Kind.TEXT));

  @TempDir private Path directory;

  @Test
  void aRequestWithoutABucketIsNotLeftOutWithThoseOfABucket() throws IOException {
    assertThat(keys(Filter.NONE)).containsExactly("list", "logged", "trail only");
  }

  @Test
  void aSourceThatABucketLacksDoesNotHideTheOthers() throws IOException {
    assertThat(keys(source("cloudtrail"))).containsExactly("list", "logged too", "trail only");
    assertThat(keys(source("access_log"))).containsExactly("list", "logged", "trail only");
  }

  @Test
  void aSourceThatIsNowhereIsRefused() {
    assertThatThrownBy(() -> keys(source("request_log")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no request in these logs is from the source request_log; there are some from"
                + " cloudtrail, access_log");
  }

  @Test
  void aPrefixIsComparedByCharacters() throws IOException {
    Optional<String> none = Optional.empty();
    Filter filter =
        new Filter(
            Optional.empty(), Optional.empty(), none, Optional.of("\ud83d\ude80/"), none, none);
    assertThat(filter.conditions()).containsExactly("substr(key, 1, 2) = '\ud83d\ude80/'");
  }

  @Test
  void aFilterThatNothingCanPassIsRefused() {
    assertThatThrownBy(() -> source("acces_log"))
        .hasMessage(
            "there is no source acces_log; there are access_log, request_log, cloudtrail,"
                + " client_log");
    Optional<Instant> noon = Optional.of(Instant.parse("2026-11-20T12:00:00Z"));
    Optional<String> none = Optional.empty();
    assertThatThrownBy(() -> new Filter(noon, noon, none, none, none, none))
        .hasMessageContaining("nothing is from 2026-11-20T12:00:00Z on and before");
  }

  private static Filter source(String source) {
    Optional<String> none = Optional.empty();
    return new Filter(Optional.empty(), Optional.empty(), none, none, none, Optional.of(source));
  }

  private List<Object> keys(Filter filter) throws IOException {
    try (DuckEngine engine = DuckEngine.open(directory, 200, 1)) {
      String columns =
          RequestColumn.all().stream()
              .map(column -> column.sqlName() + " " + column.kind().sqlType())
              .collect(Collectors.joining(", "));
      engine.run("create table s3_all(" + columns + ")");
      engine.run(
          """
          insert into s3_all(source, bucket, key, api, file, position) values
            ('access_log', 'lake', 'logged', 'GetObject', 1, 0),
            ('cloudtrail', 'lake', 'logged too', 'GetObject', 2, 0),
            ('cloudtrail', 'raw', 'trail only', 'GetObject', 2, 1),
            ('cloudtrail', null, 'list', 'ListBuckets', 2, 2)\
          """);
      Requests.define(engine, "s3_all", filter);
      return engine.rows("select key from s3_requests order by 1", KEYS).stream()
          .map(row -> row.get(0))
          .toList();
    }
  }
}
