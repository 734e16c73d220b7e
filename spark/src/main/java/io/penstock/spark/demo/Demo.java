/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.demo;

import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.metrics.StoreMetrics.Count;
import io.penstock.core.metrics.StoreMetrics.Retries;
import io.penstock.core.store.Operation;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The job of {@code penstock demo}. It writes a table, overwrites it, reads it back and compares
 * the rows, once with Penstock's commit and once with Hadoop's rename committer. The demo and the
 * command that started it exchange lines: the demo prints {@code @NAME TAB …} and waits for a line
 * before each step, so that the command can inspect the store in between.
 *
 * <p>Arguments: the table's path, the number of rows, the number of files, and whether to compare.
 */
public final class Demo {
  private static final String PROTOCOL = "spark.sql.sources.commitProtocolClass";
  private static final String RENAMING =
      "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol";

  private final SparkSession spark;
  private final long rows;
  private final int files;
  private final StoreMetrics metrics;
  private final PrintStream out;
  private final BufferedReader in;

  private Demo(SparkSession spark, long rows, int files, StoreMetrics metrics) {
    this.spark = spark;
    this.rows = rows;
    this.files = files;
    this.metrics = metrics;
    this.out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    this.in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  }

  public static void main(String[] args) throws IOException {
    String base = args[0];
    SparkSession spark = SparkSession.builder().appName("penstock demo").getOrCreate();
    try {
      FileSystem fs = new Path(base).getFileSystem(spark.sparkContext().hadoopConfiguration());
      StoreMetrics metrics = ((PenstockFileSystem) fs).stack().engine().metrics();
      Demo demo = new Demo(spark, Long.parseLong(args[1]), Integer.parseInt(args[2]), metrics);
      demo.run(base, Boolean.parseBoolean(args[3]));
    } finally {
      spark.stop();
    }
  }

  private void run(String base, boolean compare) throws IOException {
    try {
      say("started", "Spark " + spark.version());
      Row[] wanted = wanted();
      round("penstock", base + "/penstock/lineitem", wanted);
      say("engine", engine());
      if (compare) {
        spark.conf().set(PROTOCOL, RENAMING);
        round("rename", base + "/rename/lineitem", wanted);
      }
    } finally {
      cleanUp(base);
    }
  }

  /** Returns the expected digests of both versions of the table, computed without any storage. */
  private Row[] wanted() {
    return new Row[] {digest(lineItems(1)), digest(lineItems(2))};
  }

  private void round(String name, String table, Row[] wanted) throws IOException {
    step(name, "write", () -> write(table, 1));
    step(name, "overwrite", () -> write(table, 2));
    Row[] read = new Row[1];
    step(name, "read", () -> read[0] = digest(spark.read().parquet(table)));
    check(name + " read back what was written", wanted[1], read[0]);
    check(name + " replaced the old rows", true, !wanted[0].equals(read[0]));
  }

  private void write(String table, int version) {
    lineItems(version).write().mode("overwrite").parquet(table);
  }

  private Dataset<Row> lineItems(int version) {
    List<String> columns = new LineItems(version).columns();
    return spark.range(0, rows, 1, files).selectExpr(columns.toArray(String[]::new));
  }

  private static Row digest(Dataset<Row> table) {
    return table.selectExpr(LineItems.DIGEST.toArray(String[]::new)).first();
  }

  private void step(String round, String name, Runnable action) throws IOException {
    say("ready", round, name);
    if (in.readLine() == null) {
      throw new IOException("the command that started the demo has ended");
    }
    Map<Operation, Long> before = attempts();
    action.run();
    StringBuilder counts = new StringBuilder();
    attempts()
        .forEach(
            (operation, count) ->
                counts
                    .append(operation)
                    .append('=')
                    .append(count - before.get(operation))
                    .append(' '));
    say("done", round, name, counts.toString().trim(), Long.toString(inDoubt()));
  }

  private Map<Operation, Long> attempts() {
    Map<Operation, Long> attempts = new LinkedHashMap<>();
    metrics.counts().forEach((op, count) -> attempts.put(op, count.attempts()));
    return attempts;
  }

  /** Returns the work of the request engine so far, in one line. */
  private String engine() {
    long throttled = metrics.counts().values().stream().mapToLong(Count::throttled).sum();
    Retries retries = metrics.retriesInAll();
    HedgeMetrics.Count hedges = metrics.hedges().count();
    return "%d throttled, %d waits, %d retries, %d hedges (%d won), %d deadlines"
        .formatted(
            throttled,
            metrics.waits().times(),
            retries.failed() + retries.throttled(),
            hedges.started(),
            hedges.won(),
            hedges.deadlineCuts() + hedges.stallCuts());
  }

  /**
   * Returns the number of attempts so far that were cut short or lost a race. Such an attempt may
   * not have reached the store, or may not be over yet on our side.
   */
  private long inDoubt() {
    HedgeMetrics.Count hedges = metrics.hedges().count();
    return hedges.started() + hedges.deadlineCuts() + hedges.stallCuts();
  }

  private void check(String what, Object wanted, Object found) {
    boolean holds = wanted.equals(found);
    say("check", Boolean.toString(holds), what, "wanted " + wanted + ", found " + found);
  }

  private void cleanUp(String base) throws IOException {
    Path path = new Path(base);
    path.getFileSystem(spark.sparkContext().hadoopConfiguration()).delete(path, true);
  }

  private void say(String... words) {
    out.println("@" + String.join("\t", words));
  }
}
