/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/** A streaming query with foreachBatch, which is run again and again on one checkpoint. */
final class BatchQuery {
  private final SparkSession spark;
  private final Path source;
  private final String checkpoint;
  private UnaryOperator<Dataset<Row>> shape = rows -> rows;

  BatchQuery(SparkSession spark, Path source, String checkpoint) {
    this.spark = spark;
    this.source = source;
    this.checkpoint = checkpoint;
  }

  /** Sets what the query does with its rows before the function gets them. */
  BatchQuery shape(UnaryOperator<Dataset<Row>> given) {
    shape = given;
    return this;
  }

  /** Adds a file with so many ids, from 100 times its number on. */
  void add(int file, long rows) {
    spark
        .range(file * 100L, file * 100L + rows)
        .coalesce(1)
        .write()
        .mode(SaveMode.Append)
        .json(source.toUri().toString());
  }

  void deleteSource() throws IOException {
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  StreamingQuery start(VoidFunction2<Dataset<Row>, Long> function) throws TimeoutException {
    return shape
        .apply(spark.readStream().schema("id BIGINT").json(source.toUri().toString()))
        .writeStream()
        .outputMode("update")
        .option("checkpointLocation", checkpoint)
        .trigger(Trigger.AvailableNow())
        .foreachBatch(function)
        .start();
  }

  /** Runs until it fails or has read what is there; returns false if it has failed. */
  boolean run(VoidFunction2<Dataset<Row>, Long> function) {
    try {
      start(function).awaitTermination();
      return true;
    } catch (StreamingQueryException e) {
      return false;
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Fails after the function's writes, as if the driver had died before the batch is recorded. */
  boolean runAndDie(VoidFunction2<Dataset<Row>, Long> function) {
    return run(
        (rows, batch) -> {
          function.call(rows, batch);
          throw new IOException("died");
        });
  }
}
