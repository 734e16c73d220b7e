/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.plan;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import scala.Option;

/**
 * The batch of a streaming query whose function, given to {@code foreachBatch}, runs on this
 * thread.
 *
 * @param query id of the query; a new checkpoint has a new one
 * @param run id of this run of the query
 * @param number of the batch
 * @param rows the RDD of the batch's rows
 * @param planned time at which the batch was planned, and its offsets. Spark keeps both in the
 *     checkpoint, and when it runs the batch again, takes them from there. A batch that is planned
 *     anew, after somebody has deleted the end of the checkpoint, has others
 */
public record StreamBatch(String query, String run, long number, Object rows, String planned) {
  private static final String QUERY = "sql.streaming.queryId";
  private static final String BATCH = "streaming.sql.batchId";

  /**
   * Returns the batch; empty on any thread but the query's own. A thread that was started in a
   * function, such as a pool's, keeps the properties of that batch for ever.
   *
   * @param session of Spark's, of whichever class
   * @throws LinkageError when this Spark has other methods
   */
  static Optional<StreamBatch> current(Object session) {
    Option<SparkContext> context = SparkContext$.MODULE$.getActive();
    String query = context.isEmpty() ? null : context.get().getLocalProperty(QUERY);
    String batch = query == null ? null : context.get().getLocalProperty(BATCH);
    if (batch == null) {
      return Optional.empty();
    }
    Map<?, ?> running =
        (Map<?, ?>)
            SparkInternals.call(
                SparkInternals.call(session, "sharedState"), "activeStreamingQueries");
    Object stream = running.get(UUID.fromString(query));
    if (stream == null
        || !Thread.currentThread().equals(SparkInternals.call(stream, "queryExecutionThread"))) {
      return Optional.empty();
    }
    long number = Long.parseLong(batch);
    return planned(stream, number)
        .map(
            planned ->
                new StreamBatch(
                    query,
                    SparkInternals.call(stream, "runId").toString(),
                    number,
                    SparkInternals.call(SparkInternals.call(stream, "lastExecution"), "toRdd"),
                    planned));
  }

  /**
   * Returns true if the thread's work is for a batch, or if the thread was started for one and has
   * kept its properties.
   */
  static boolean isNear() {
    Option<SparkContext> context = SparkContext$.MODULE$.getActive();
    return context.isDefined() && context.get().getLocalProperty(BATCH) != null;
  }

  private static Optional<String> planned(Object stream, long number) {
    Option<?> entry =
        (Option<?>)
            SparkInternals.call(
                SparkInternals.call(stream, "offsetLog"),
                "get",
                new Class<?>[] {long.class},
                number);
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    Object offsets = entry.get();
    // The name is another one since Spark 4.2.
    String name = SparkInternals.has(offsets, "metadata") ? "metadata" : "metadataOpt";
    Option<?> metadata = (Option<?>) SparkInternals.call(offsets, name);
    return metadata.isEmpty()
        ? Optional.empty()
        : Optional.of(SparkInternals.call(metadata.get(), "batchTimestampMs") + " " + offsets);
  }
}
