/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetLogTest {
  private static final String RECORD =
      "'V_1_0' as schema_version_id, 'lake' as bucket_name,"
          + " timestamp '2026-06-04 03:27:47.125' as request_time, '10.0.1.7' as remote_ip,"
          + " 'REST.PUT.PART' as operation, 'out/part-1' as key_name,"
          + " 'PUT /out/part-1?partNumber=3&uploadId=U HTTP/1.1' as request_uri,"
          + " 503 as http_status, 'SlowDown' as error_code";

  @TempDir private Path directory;
  private final ParseStatistics statistics = new ParseStatistics();

  private Path written(String select) throws SQLException {
    Path file = directory.resolve("log.parquet");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      duck.createStatement().execute("copy (select " + select + ") to '" + file + "'");
    }
    return file;
  }

  private RequestReader open(Path file) throws IOException {
    return new ParquetLog().open(Files.newInputStream(file), statistics);
  }

  @Test
  void aRowIsReadAsTheSameRecordInJsonIs() throws IOException, SQLException {
    Path file = written(RECORD);
    assertThat(new ParquetLog().matches(Head.of(Files.readAllBytes(file)))).isTrue();
    RequestRow row = new RequestRow();
    try (RequestReader reader = open(file)) {
      assertThat(reader.next(row)).isTrue();
      assertThat(row.text(RequestColumn.BUCKET)).isEqualTo("lake");
      assertThat(row.text(RequestColumn.KEY)).isEqualTo("out/part-1");
      assertThat(row.text(RequestColumn.API)).isEqualTo("UploadPart");
      assertThat(row.number(RequestColumn.PART_NO)).isEqualTo(3);
      assertThat(row.number(RequestColumn.THROTTLED)).isEqualTo(1);
      assertThat(row.number(RequestColumn.TS_START))
          .isEqualTo(Instant.parse("2026-06-04T03:27:47.125Z").toEpochMilli() * 1_000);
      assertThat(reader.next(row)).isFalse();
    }
    assertThat(statistics.requests()).isEqualTo(1);
  }

  @Test
  void aTableOfOtherDataIsNoLog() throws IOException, SQLException {
    try (RequestReader reader = open(written("1 as quantity"))) {
      assertThat(reader.next(new RequestRow())).isFalse();
    }
    assertThat(statistics.damage()).contains("no access log");
  }

  @Test
  void aFileThatIsCutOffIsDamaged() throws IOException, SQLException {
    byte[] whole = Files.readAllBytes(written(RECORD));
    Path cut = directory.resolve("cut.parquet");
    Files.write(cut, java.util.Arrays.copyOf(whole, whole.length / 2));
    try (RequestReader reader = open(cut)) {
      assertThat(reader.next(new RequestRow())).isFalse();
    }
    assertThat(statistics.damage()).contains("damaged");
  }
}
