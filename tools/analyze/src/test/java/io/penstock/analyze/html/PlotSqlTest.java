/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.request.RequestColumn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The queries behind the plots, on a handful of requests. */
class PlotSqlTest {
  private Connection connection;

  @BeforeEach
  void aTableOfRequests() throws SQLException, IOException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    String columns =
        RequestColumn.all().stream()
            .map(column -> column.sqlName() + " " + column.kind().sqlType())
            .collect(Collectors.joining(", "));
    run("CREATE TABLE s3_requests (" + columns + ", total_ms DOUBLE, ttfb_ms DOUBLE)");
    run(
        "CREATE TABLE spark_stages (app_id VARCHAR, stage_id BIGINT, attempt BIGINT, name VARCHAR,"
            + " submitted TIMESTAMP, completed TIMESTAMP, elapsed_ms DOUBLE, tasks BIGINT,"
            + " run_ms DOUBLE, cpu_ms DOUBLE, scan_ms DOUBLE, description VARCHAR)");
    for (String rollup :
        List.of("s3_cells", "s3_callers", "s3_hosts", "s3_by_second", "s3_durations")) {
      run("CREATE VIEW " + rollup + " AS " + query(rollup));
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void request(String at, String dir, String api, boolean throttled, double millis)
      throws SQLException {
    run(
        "INSERT INTO s3_requests (ts_start, dir, api, throttled, err, total_ms, total_us,"
            + " client_ip, bytes_in) VALUES (TIMESTAMP '2024-06-04 "
            + at
            + "', '%s', '%s', %s, %s, %s, %s, '10.0.0.1', 8388608)"
                .formatted(
                    dir,
                    api,
                    throttled,
                    throttled ? "'SlowDown'" : "NULL",
                    millis,
                    Math.round(millis * 1_000)));
  }

  private static String query(String id) throws IOException {
    try (InputStream in =
        Plot.class.getResourceAsStream("/io/penstock/analyze/analysis/" + id + ".sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private List<String> rows(String id) throws SQLException, IOException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query(id))) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(String.valueOf(result.getObject(i)));
        }
        rows.add(String.join(" ", row));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "requests-over-time",
        "operations-over-time",
        "latency-curve",
        "latency-over-time",
        "prefixes-over-time",
        "executors-over-time",
        "request-sizes",
        "stages-over-time"
      })
  void eachRunsAndYieldsItsColumns(String id) throws Exception {
    String header = query(id).lines().skip(1).findFirst().orElseThrow();
    assertThat(header).startsWith("-- columns: ");
    assertThat(rows(id)).isEmpty();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query(id))) {
      List<String> declared =
          List.of(header.substring("-- columns: ".length()).split(", ", -1)).stream()
              .map(column -> column.split(" ", -1)[0])
              .toList();
      List<String> yielded = new ArrayList<>();
      List<String> types = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        yielded.add(result.getMetaData().getColumnName(i));
        types.add(result.getMetaData().getColumnTypeName(i));
      }
      assertThat(yielded).isEqualTo(declared);
      assertThat(types).isSubsetOf("TIMESTAMP", "BIGINT", "VARCHAR", "DOUBLE");
    }
  }

  @Test
  void secondsAreCountedWithTheirThrottles() throws Exception {
    request("14:40:01.2", "a/", "UploadPart", false, 80);
    request("14:40:01.9", "a/", "UploadPart", true, 8);
    assertThat(rows("requests-over-time")).containsExactly("2024-06-04 14:40:01.0 1 2 1 2 1");
  }

  @ParameterizedTest
  @CsvSource({
    "14:49:59, 14:40:01.0, 14:40:01.0",
    "14:59:59, 14:40:01.0, 14:40:00.0",
    "16:59:59, 14:40:00.0, 14:40:00.0"
  })
  void longWindowsHaveLongerSpans(String last, String ofP1, String ofP2) throws Exception {
    request("14:40:01", "a/", "UploadPart", false, 80);
    request(last, "a/", "UploadPart", false, 80);
    assertThat(rows("requests-over-time").get(0)).startsWith("2024-06-04 " + ofP1);
    assertThat(rows("operations-over-time").get(0))
        .startsWith("2024-06-04 " + ofP2 + " UploadPart 1 0");
  }

  @Test
  void durationsAndSizesFallIntoTheirBuckets() throws Exception {
    request("14:40:01", "a/", "UploadPart", false, 30_001);
    request("14:40:01", "a/", "UploadPart", false, 0.2);
    request("14:40:01", "a/", "UploadPart", true, 5);
    assertThat(rows("latency-curve"))
        .containsExactly("UploadPart 0 1 0 0 0 0 0", "UploadPart 119 1 1 1 1 1 0");
    assertThat(rows("latency-over-time"))
        .containsExactly("2024-06-04 14:40:01.0 0 1", "2024-06-04 14:40:01.0 14 1");
    assertThat(rows("request-sizes")).containsExactly("UploadPart 46 2 16777216");
  }

  @Test
  void prefixesWithMostThrottlesAreKept() throws Exception {
    for (int i = 0; i < 40; i++) {
      request("14:40:01", "p%02d/".formatted(i), "UploadPart", i == 39, 80);
    }
    assertThat(rows("prefixes-over-time")).hasSize(30).last().asString().contains("p39/ 1 1");
    assertThat(rows("executors-over-time")).containsExactly("2024-06-04 14:40:01.0 10.0.0.1 40 1");
  }
}
