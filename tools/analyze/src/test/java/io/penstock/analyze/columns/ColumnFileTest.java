/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine reads every value that was written. */
class ColumnFileTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("few", Kind.TEXT),
          new Column("many", Kind.TEXT),
          new Column("number", Kind.COUNT),
          new Column("moment", Kind.TIME),
          new Column("flag", Kind.FLAG),
          new Column("none", Kind.TEXT),
          new Column("late", Kind.COUNT));

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, OpenRowGroup.MAX_ROWS - 1, OpenRowGroup.MAX_ROWS, 40_001})
  void anEngineReadsEveryValue(int rows) throws Exception {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    List<List<String>> expected = new ArrayList<>();
    Path path = directory.resolve("a.parquet");
    try (ColumnFile file = new ColumnFile(path, COLUMNS)) {
      for (int i = 0; i < rows; i++) {
        expected.add(row(file, i, random));
      }
    }
    assertThat(read(path))
        .as("replay with -Dtest=ColumnFileTest -Dpenstock.test.seed=" + seed)
        .isEqualTo(expected);
  }

  private static List<String> row(ColumnFile file, int i, SplittableRandom random)
      throws Exception {
    String few = random.nextInt(5) == 0 ? null : "f" + random.nextInt(3) + "\u00e4";
    String many = random.nextInt(9) == 0 ? null : "key-" + random.nextInt(1 << 20);
    Long number = random.nextInt(7) == 0 ? null : (Long) random.nextLong();
    Long at = i % 3 == 1 ? null : (Long) (1_717_512_012_345_678L + i);
    Boolean flag = random.nextInt(4) == 0 ? null : (Boolean) random.nextBoolean();
    Long late = i < 20_000 ? null : (Long) 5L;
    file.endRow(
        text(file, 0, few)
            | text(file, 1, many)
            | number(file, 2, number)
            | number(file, 3, at)
            | number(file, 4, flag == null ? null : (Long) (flag ? 1L : 0L))
            | number(file, 6, late));
    return Arrays.asList(
        few,
        many,
        String.valueOf(number),
        String.valueOf(at),
        String.valueOf(flag),
        null,
        String.valueOf(late));
  }

  /** Adds a text unless it is null; returns the bit of its column, or 0. */
  private static long text(ColumnFile file, int column, String value) {
    if (value == null) {
      return 0;
    }
    byte[] bytes = ("<" + value + ">").getBytes(StandardCharsets.UTF_8);
    if (!file.text(column).addSame(bytes, 1, bytes.length - 1)) {
      // A poor hash, so that different texts have the same.
      long hash = (long) (value.hashCode() % 1_000) << 32;
      file.text(column).add(bytes, 1, bytes.length - 1, hash);
    }
    return 1L << column;
  }

  private static long number(ColumnFile file, int column, Long value) {
    if (value == null) {
      return 0;
    }
    file.number(column).add(value);
    return 1L << column;
  }

  private static List<List<String>> read(Path path) throws Exception {
    List<List<String>> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select few, many, coalesce(cast(number as varchar), 'null'),"
                    + " coalesce(cast(epoch_us(moment) as varchar), 'null'),"
                    + " coalesce(cast(flag as varchar), 'null'), none,"
                    + " coalesce(cast(late as varchar), 'null') from '"
                    + path
                    + "'")) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= COLUMNS.size(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void aTextThatWasMendedIsNotTakenForAnother() throws Exception {
    Path path = directory.resolve("a.parquet");
    // The first is stored as the bytes of U+FFFD and "bcd", of which the second is the beginning.
    byte[] damaged = {(byte) 0xff, 'b', 'c', 'd'};
    byte[] valid = "\ufffdb".getBytes(StandardCharsets.UTF_8);
    assertThat(valid).hasSameSizeAs(damaged);
    try (ColumnFile file = new ColumnFile(path, List.of(new Column("text", Kind.TEXT)))) {
      file.text(0).add(damaged, 0, damaged.length, 1);
      file.endRow(1);
      assertThat(file.text(0).addSame(valid, 0, valid.length)).isFalse();
      file.text(0).add(valid, 0, valid.length, 2);
      file.endRow(1);
    }
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select text from '" + path + "'")) {
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isEqualTo("\ufffdbcd");
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isEqualTo("\ufffdb");
    }
  }

  @Test
  void bytesThatAreNoUtf8AreReplaced() throws Exception {
    Path path = directory.resolve("a.parquet");
    byte[] bytes = {'a', (byte) 0xff, 'b'};
    try (ColumnFile file = new ColumnFile(path, List.of(new Column("text", Kind.TEXT)))) {
      for (int i = 0; i < 3; i++) {
        if (!file.text(0).addSame(bytes, 0, 3)) {
          file.text(0).add(bytes, 0, 3, 1);
        }
        file.endRow(1);
      }
    }
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("select text, count(*) from '" + path + "' group by 1")) {
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isEqualTo("a\ufffdb");
      assertThat(result.getLong(2)).isEqualTo(3);
      assertThat(result.next()).isFalse();
    }
  }
}
