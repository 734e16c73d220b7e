/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.analyze.analysis.Rollups;
import io.penstock.analyze.duckdb.DuckEngine;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.errortext.Troubles;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.sparklog.SparkRuns;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** An engine with the tables that logs are read into, and rows as a test wants them. */
public final class AdviceFixture implements AutoCloseable {
  private static final String[] FACTS = {
    "dns_queries(name varchar, type varchar, queries bigint, nxdomain bigint, p95_ms double)",
    "log_files(file bigint, name varchar, format varchar, packing varchar, bytes bigint,"
        + " records bigint, requests bigint, rejected bigint, skipped bigint, damage varchar)"
  };

  private final DuckEngine engine;
  private long chains;

  private AdviceFixture(DuckEngine engine) {
    this.engine = engine;
  }

  public static AdviceFixture open(Path spill) throws IOException {
    AdviceFixture fixture = new AdviceFixture(DuckEngine.open(spill, 500, 2));
    for (Table table : new SparkRuns().tables()) {
      fixture.run("create table " + table.id() + "(" + definitions(table.columns()) + ")");
    }
    fixture.run(
        "create table error_messages(" + definitions(new ErrorTexts().table().columns()) + ")");
    fixture.run("create table log_troubles(" + definitions(new Troubles().table().columns()) + ")");
    for (String table : FACTS) {
      fixture.run("create table " + table);
    }
    String columns =
        RequestColumn.all().stream()
            .map(column -> column.sqlName() + " " + column.kind().sqlType())
            .collect(Collectors.joining(", "));
    fixture.run("create table s3_all(" + columns + ")");
    fixture.run(
        "create view s3_filtered as select *, total_us / 1000.0 as total_ms,"
            + " ttfb_us / 1000.0 as ttfb_ms, wait_us / 1000.0 as wait_ms from s3_all");
    fixture.run("create view s3_requests as select * from s3_filtered");
    fixture.run(
        "create view s3_filtered_waits as select * from s3_filtered where wait_us is not null");
    fixture.run("create view s3_waits as select * from s3_filtered_waits");
    return fixture;
  }

  private static String definitions(List<Column> columns) {
    return columns.stream()
        .map(column -> column.name() + " " + column.kind().sqlType())
        .collect(Collectors.joining(", "));
  }

  public void run(String sql) throws IOException {
    engine.run(sql);
  }

  /**
   * Adds requests over 1,287 seconds; the last ones are throttled.
   *
   * @param more columns and their values in SQL, of the number {@code i} of the request
   */
  public void requests(String api, String kind, long count, long throttled, String... more)
      throws IOException {
    StringBuilder names = new StringBuilder();
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < more.length; i += 2) {
      names.append(", ").append(more[i]);
      values.append(", ").append(more[i + 1]);
    }
    chains += 10_000_000;
    run(
        """
        insert into s3_all(ts_start, source, bucket, key, dir, api, class, status, err, throttled,
          requester, client_ip, chain, file, position%s)
        select timestamp '2024-06-04 14:39:56' + to_seconds(cast(i %% 1287 as bigint)),
          'access_log', 'lake', 'out/part-' || i || '.parquet', 'out/', '%s', '%s',
          case when i < %d then 200 else 503 end, case when i < %d then null else 'SlowDown' end,
          i >= %d, 'job-role', '10.0.0.' || (i %% 200), i + %d, 0, i + %d%s
        from range(%d) r(i)
        """
            .formatted(
                names,
                api,
                kind,
                count - throttled,
                count - throttled,
                count - throttled,
                chains,
                chains,
                values,
                count));
  }

  /** An application with settings, as names and values of kind spark. */
  public void app(String version, String... settings) throws IOException {
    run(
        "insert into spark_apps(app_id, name, spark_version, started, ended, elapsed_ms,"
            + " complete, attempts, file) values ('app-1', 'job', '%s', timestamp '2024-06-04 14:39:56',"
                .formatted(version)
            + " timestamp '2024-06-04 15:01:23', 1287000, true, 1, 'events')");
    for (int i = 0; i < settings.length; i += 2) {
      run(
          "insert into spark_settings values ('app-1', 'spark', '%s', '%s')"
              .formatted(settings[i], settings[i + 1]));
    }
  }

  /** Computes what analyses share, once all rows are there. */
  public QueryEngine ready() throws IOException {
    run("update s3_all set write_id = coalesce(cast(hash(upload_id) >> 1 as bigint), chain)");
    for (String rollup : Rollups.names()) {
      Rollups.define(engine, rollup);
    }
    return engine;
  }

  @Override
  public void close() throws IOException {
    engine.close();
  }
}
