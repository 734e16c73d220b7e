/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The requests in Parquet files. Spark converts the logs once.
 *
 * <p>The result of each part, such as its parse statistics, is in the same files as its requests.
 * It has a row of its own, in a column that is null in all other rows. If a task is retried or runs
 * twice, its files appear once or not at all, so the statistics always agree with the requests. An
 * accumulator would not guarantee this: Spark may add to it again when it recomputes a stage.
 */
final class RequestFiles {
  private static final String RESULT = "part_result";

  private final SparkSession spark;
  private final String directory;

  RequestFiles(SparkSession spark, String directory) {
    this.spark = spark;
    this.directory = directory;
  }

  /** Reads logs and writes their requests into the directory, which must not exist. */
  void write(List<LogFile> files, Map<String, String> storeSettings, ReadProgress progress) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<ReadTask> tasks = ReadTask.of(files, storeSettings, context.defaultParallelism());
    LongAccumulator doneBytes = spark.sparkContext().longAccumulator("bytes of logs read");
    progress.reading(new Done(doneBytes, files));
    List<byte[]> sent = tasks.stream().map(Bytes::of).toList();
    Dataset<Row> rows =
        spark.createDataFrame(
            context
                .parallelize(sent, Math.max(1, sent.size()))
                .mapPartitions(some -> rows(some, doneBytes)),
            schema());
    rows.createOrReplaceTempView("s3_parts");
    String columns =
        RequestColumn.all().stream().map(RequestFiles::typed).collect(Collectors.joining(", "));
    spark.sql("select " + columns + ", " + RESULT + " from s3_parts").write().parquet(directory);
  }

  private record Done(LongAccumulator bytes, List<LogFile> files) implements ReadProgress.Extent {
    @Override
    public long doneBytes() {
      // A task that ran twice has added its bytes twice.
      return Math.min(bytes.sum(), totalBytes());
    }

    @Override
    public long totalBytes() {
      return files.stream().mapToLong(file -> file.source().sizeBytes()).sum();
    }
  }

  /** Runs on an executor. Each partition holds one task. */
  private static Iterator<Row> rows(Iterator<byte[]> tasks, LongAccumulator doneBytes)
      throws IOException {
    if (!tasks.hasNext()) {
      return List.<Row>of().iterator();
    }
    PartRows rows = new PartRows(Bytes.read(tasks.next(), ReadTask.class), doneBytes::add);
    // A task that is killed does not read its rows to the end.
    TaskCompletionListener closer =
        context -> {
          try {
            rows.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    TaskContext.get().addTaskCompletionListener(closer);
    return rows;
  }

  private static StructType schema() {
    StructType schema = new StructType();
    for (RequestColumn column : RequestColumn.all()) {
      schema = schema.add(column.sqlName(), type(column.kind()), true);
    }
    return schema.add(RESULT, DataTypes.BinaryType, true);
  }

  private static DataType type(Kind kind) {
    return switch (kind) {
      case TEXT -> DataTypes.StringType;
      case FLAG -> DataTypes.BooleanType;
      // An instant is stored as microseconds, which Spark converts with a function of its own.
      default -> DataTypes.LongType;
    };
  }

  private static String typed(RequestColumn column) {
    String name = column.sqlName();
    return column.kind() == Kind.TIME ? "timestamp_micros(" + name + ") as " + name : name;
  }

  /** Returns a query for the requests. */
  String requests() {
    String columns =
        RequestColumn.all().stream().map(RequestColumn::sqlName).collect(Collectors.joining(", "));
    return "select " + columns + from() + " where " + RESULT + " is null";
  }

  /** Returns the results of the parts, one for each part. */
  List<PartResult> results() throws IOException {
    String query = "select " + RESULT + from() + " where " + RESULT + " is not null";
    List<PartResult> results = new ArrayList<>();
    for (Row row : spark.sql(query).collectAsList()) {
      results.add(Bytes.read((byte[]) row.get(0), PartResult.class));
    }
    return results;
  }

  private String from() {
    return " from parquet.`" + directory.replace("`", "``") + "`";
  }
}
