/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.checkpoint.FencedStore;
import io.penstock.core.checkpoint.Writer;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real queries with state whose checkpoint is in S3. */
class StreamingCheckpointTest {
  private static final Writer OTHER = new Writer(99, "app-other", "host-b", 22, "query-1", "run-b");
  private static final Writer FRESH = new Writer(1, "app-new", "host-b", 22, "query-2", "run-b");

  private final SparkSession spark = Lake.spark();
  private final List<StreamingQuery> queries = new ArrayList<>();

  @AfterEach
  void stop() throws TimeoutException {
    for (StreamingQuery query : queries) {
      query.stop();
    }
    Lake.calm();
  }

  /** Counts into two partitions of state; each batch is the same input on every run. */
  private StreamingQuery start(String checkpoint) throws TimeoutException {
    StreamingQuery query =
        spark
            .readStream()
            .format("rate-micro-batch")
            .option("rowsPerBatch", 20)
            .load()
            .groupBy(org.apache.spark.sql.functions.expr("value % 10"))
            .count()
            .writeStream()
            .format("noop")
            .outputMode("update")
            .option("checkpointLocation", "s3://lake/checkpoints/" + checkpoint)
            .trigger(Trigger.ProcessingTime(0))
            .start();
    queries.add(query);
    return query;
  }

  private static void awaitBatch(StreamingQuery query, long batch) throws StreamingQueryException {
    while (query.lastProgress() == null || query.lastProgress().batchId() < batch) {
      if (query.exception().isDefined()) {
        throw query.exception().get();
      }
      Thread.onSpinWait();
    }
  }

  private static String failureOf(StreamingQuery query) {
    StringWriter text = new StringWriter();
    try {
      query.awaitTermination(120_000);
    } catch (StreamingQueryException e) {
      e.printStackTrace(new PrintWriter(text));
    }
    return text.toString();
  }

  private static void written(String key, Writer writer, Condition condition) throws Exception {
    new FencedStore(Lake.s3().store("lake"), () -> writer, new SplittableRandom(7))
        .put(
            "checkpoints/" + key,
            Body.ofBytes("v1\n{}".getBytes(StandardCharsets.UTF_8)),
            condition);
  }

  @Test
  void aBatchIsOnePutAFileAndNowAndThenALookForALaterRun() throws Exception {
    StreamingQuery query = start("budget");
    awaitBatch(query, 3);
    Lake.s3().resetCounts();
    long from = query.lastProgress().batchId();
    awaitBatch(query, from + 6);
    Map<String, Long> requests = Lake.s3().counts().requests();

    assertThat(requests.keySet()).isSubsetOf("PutObject", "GetObject");
    // Offsets, commit, and a delta of either partition; up to two batches may be under way.
    assertThat(requests.get("PutObject")).isBetween(4 * 5L, 4 * 8L + 4);
    // Looks for a later run: one a second, and so at most twice before and twice behind a write.
    assertThat(requests.getOrDefault("GetObject", 0L)).isLessThanOrEqualTo(4 * 9L);
  }

  @Test
  void aQueryGoesOnWhereItWasStopped() throws Exception {
    StreamingQuery first = start("again");
    awaitBatch(first, 2);
    first.stop();
    assertThat(first.exception().isDefined()).isFalse();

    StreamingQuery second = start("again");
    awaitBatch(second, 4);
    second.stop();
    List<String> commits = Lake.keys("checkpoints/again/commits/");
    assertThat(commits).contains("checkpoints/again/commits/0", "checkpoints/again/commits/4");
    assertThat(Lake.keys("checkpoints/again/_penstock_writers/"))
        .containsExactly(
            "checkpoints/again/_penstock_writers/000001",
            "checkpoints/again/_penstock_writers/000002");
    String writeId =
        Lake.s3().store("lake").head("checkpoints/again/commits/4").writeId().orElseThrow();
    Writer writer = Writer.ofWriteId(writeId).orElseThrow();
    assertThat(writer.application()).isEqualTo(spark.sparkContext().applicationId());
    assertThat(writer.run()).isEqualTo(second.runId().toString());
    assertThat(writer.epoch()).isEqualTo(2);
    String ofTask =
        Lake.s3().store("lake").head("checkpoints/again/state/0/1/4.delta").writeId().orElseThrow();
    assertThat(Writer.ofWriteId(ofTask).orElseThrow().epoch()).isBetween(1L, 2L);
  }

  private static void claimed(String application, String checkpoint, long epoch) throws Exception {
    String claim =
        "{\"epoch\":%d,\"application\":\"%s\",\"host\":\"host-b\",\"pid\":22,\"query\":\"q\",\"run\":\"r\"}"
            .formatted(epoch, application);
    Lake.s3()
        .store("lake")
        .put(
            "checkpoints/%s/_penstock_writers/%06d".formatted(checkpoint, epoch),
            Body.ofBytes(claim.getBytes(StandardCharsets.UTF_8)),
            Condition.NONE);
  }

  private static void delete(Predicate<String> isDeleted, String checkpoint) throws Exception {
    for (String key : Lake.keys("checkpoints/" + checkpoint + "/")) {
      if (isDeleted.test(key)) {
        Lake.s3().store("lake").delete(key);
      }
    }
  }

  /** The user deletes the checkpoint and starts a new query there; the old driver still lives. */
  @Test
  void aRunWhoseCheckpointWasDeletedAndBegunAnewStops() throws Exception {
    start("anew").stop();
    StreamingQuery old = start("anew"); // epoch 2
    awaitBatch(old, 5);
    delete(key -> true, "anew");
    claimed("app-new", "anew", 1);
    written("anew/metadata", FRESH, Condition.NONE);
    written("anew/offsets/0", FRESH, Condition.NONE);
    written("anew/commits/0", FRESH, Condition.NONE);
    assertThat(failureOf(old)).contains("app-new");
  }

  /** The user goes back to batch 3 and starts a new run; the old driver still lives. */
  @Test
  void aRunBehindWhoseBackTheCheckpointWasTakenBackStops() throws Exception {
    StreamingQuery old = start("rewound");
    awaitBatch(old, 8);
    claimed("app-new", "rewound", 2);
    delete(key -> key.matches(".*/(offsets|commits)/([4-9]|[1-9][0-9]+)"), "rewound");
    written("rewound/offsets/4", FRESH, Condition.NONE);
    assertThat(failureOf(old)).contains("app-new");
  }

  @Test
  void aQueryRunsWhereTheLanguageHasDigitsOfItsOwn() throws Exception {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      StreamingQuery query = start("language");
      awaitBatch(query, 2);
      query.stop();
      assertThat(Lake.keys("checkpoints/language/_penstock_writers/"))
          .containsExactly("checkpoints/language/_penstock_writers/000001");
      assertThat(Lake.s3().store("lake").head("checkpoints/language/commits/1").writeId())
          .hasValueSatisfying(id -> assertThat(id).matches("[ -~]+"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void planningThatOpensTheOffsetsAnewIsNoLaterRun() throws Exception {
    String provider = "spark.sql.streaming.stateStore.providerClass";
    spark.conf().set("spark.sql.streaming.join.stateFormatVersion", "3");
    spark
        .conf()
        .set(provider, "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");
    try {
      for (int run = 1; run <= 2; run++) {
        StreamingQuery query = startJoin();
        awaitBatch(query, 2L * run);
        query.stop();
        assertThat(query.exception().isDefined()).isFalse();
        assertThat(Lake.keys("checkpoints/join/_penstock_writers/")).hasSize(run);
      }
    } finally {
      spark.conf().unset("spark.sql.streaming.join.stateFormatVersion");
      spark.conf().unset(provider);
    }
  }

  private StreamingQuery startJoin() throws TimeoutException {
    StreamingQuery query =
        input("a", "t")
            .join(input("b", "u"), org.apache.spark.sql.functions.expr("a = b and t = u"))
            .writeStream()
            .format("noop")
            .option("checkpointLocation", "s3://lake/checkpoints/join")
            .trigger(Trigger.ProcessingTime(0))
            .start();
    queries.add(query);
    return query;
  }

  private Dataset<Row> input(String value, String time) {
    return spark
        .readStream()
        .format("rate-micro-batch")
        .option("rowsPerBatch", 20)
        .load()
        .selectExpr("value as " + value, "timestamp as " + time)
        .withWatermark(time, "1 second");
  }

  @Test
  void whenAnotherDriverPlansABatchFirstTheQueryStopsAndNamesIt() throws Exception {
    StreamingQuery query = start("planned");
    awaitBatch(query, 1);
    long next = query.lastProgress().batchId() + 3;
    written("planned/offsets/" + next, OTHER, Condition.IF_ABSENT);

    assertThat(failureOf(query))
        .contains("offsets/" + next)
        .contains("application app-other on host-b (pid 22, run run-b, epoch 99)");
    assertThat(Lake.keys("checkpoints/planned/commits/"))
        .contains("checkpoints/planned/commits/" + (next - 1))
        .doesNotContain("checkpoints/planned/commits/" + next);
  }

  @Test
  void whenAnotherDriverCommitsABatchFirstTheQueryStopsAndNamesIt() throws Exception {
    StreamingQuery query = start("committed");
    awaitBatch(query, 1);
    long next = query.lastProgress().batchId() + 3;
    written("committed/commits/" + next, OTHER, Condition.IF_ABSENT);

    assertThat(failureOf(query)).contains("application app-other on host-b");
  }

  @Test
  void whenALaterRunHasGoneFurtherTheQueryStopsAndNamesIt() throws Exception {
    StreamingQuery query = start("claimed");
    awaitBatch(query, 1);
    claimed("app-other", "claimed", 2);
    awaitBatch(query, query.lastProgress().batchId() + 3); // A claim alone stops nobody.
    written(
        "claimed/offsets/" + (query.lastProgress().batchId() + 1_000), OTHER, Condition.IF_ABSENT);

    assertThat(failureOf(query))
        .contains(
            "Another run, application app-other on host-b (pid 22, run r, epoch 2), claimed this")
        .contains("This run must stop; the query continues in the other run.");
  }

  @Test
  void aQueryIsStartedAgainInTheSameProcessAfterAnotherDriverHasClaimedItsCheckpoint()
      throws Exception {
    StreamingQuery first = start("back");
    awaitBatch(first, 1);
    first.stop();
    long done = first.lastProgress().batchId();
    claimed("app-other", "back", 2);

    awaitBatch(start("back"), done + 3);
    assertThat(Lake.keys("checkpoints/back/_penstock_writers/"))
        .contains("checkpoints/back/_penstock_writers/000003");
  }

  @Test
  void aRunThatWasTakenOverDoesNotReplaceTheStateOfTheLaterOne() throws Exception {
    StreamingQuery query = start("taken");
    awaitBatch(query, 1);
    String delta = "taken/state/0/0/" + (query.lastProgress().batchId() + 4) + ".delta";
    written(delta, OTHER, Condition.NONE);

    assertThat(failureOf(query))
        .contains("which took over the checkpoint from this run, application")
        .contains("app-other");
    String writeId = Lake.s3().store("lake").head("checkpoints/" + delta).writeId().orElseThrow();
    assertThat(Writer.ofWriteId(writeId)).contains(OTHER);
  }

  @Test
  void stateOfARunThatDiedIsReplaced() throws Exception {
    StreamingQuery query = start("died");
    awaitBatch(query, 1);
    query.stop();
    Writer dead = new Writer(1, "app-dead", "host-c", 33, "query-1", "run-c");
    long next = query.lastProgress().batchId() + 3;
    written("died/state/0/0/" + next + ".delta", dead, Condition.NONE);

    awaitBatch(start("died"), next);
    String writeId =
        Lake.s3()
            .store("lake")
            .head("checkpoints/died/state/0/0/" + next + ".delta")
            .writeId()
            .orElseThrow();
    assertThat(Writer.ofWriteId(writeId).orElseThrow().epoch()).isEqualTo(2);
  }

  @Test
  void answersThatAreLostAndServersThatFailDoNotStopAQuery() throws Exception {
    StreamingQuery query = start("faults");
    awaitBatch(query, 1);
    Lake.faults("PutObject@0.2=reset-after PutObject@0.1=500 PutObject@0.1=503");
    awaitBatch(query, query.lastProgress().batchId() + 5);
    Lake.calm();
    query.stop();
    assertThat(query.exception().isDefined()).isFalse();
  }

  @Test
  void stoppingAQueryInTheMiddleOfASlowWriteIsNoFailure() throws Exception {
    StreamingQuery query = start("stopped");
    awaitBatch(query, 1);
    Lake.faults("PutObject@1=stall:2s"); // A batch is hardly ever without a PUT under way now.
    while (!query.status().isTriggerActive()) {
      Thread.onSpinWait();
    }
    query.stop();
    assertThat(query.exception().isDefined()).isFalse();
  }

  @Test
  void aCheckpointThatIsNotInS3IsLeftToAFileSystemThatHasIt(
      @org.junit.jupiter.api.io.TempDir java.nio.file.Path directory) throws Exception {
    StreamingQuery query =
        spark
            .readStream()
            .format("rate-micro-batch")
            .option("rowsPerBatch", 20)
            .load()
            .writeStream()
            .format("noop")
            .option("checkpointLocation", directory.toUri().toString())
            .trigger(Trigger.ProcessingTime(0))
            .start();
    queries.add(query);
    awaitBatch(query, 2);
    query.stop();
    assertThat(directory.resolve("commits/2")).isNotEmptyFile();
  }
}
