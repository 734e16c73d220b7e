/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.life.Jobs;
import io.penstock.core.store.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskResultLost$;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task that is tried again, twice at once, or killed: one copy of its data, or none. */
class AttemptsTest {
  private static final int TWIN = 99;

  private final SparkSession spark = Lake.spark();

  @BeforeEach
  void forget() {
    Lake.store("large").forget();
  }

  @AfterEach
  void calm() {
    Lake.calm();
    Lake.store("large").forget();
  }

  @Test
  void anAttemptThatFailsAfterAFileIsReplacedByTheNext() {
    failOnceItUploads();

    write("attempts/retried");

    assertThat(Lake.dataKeys("large", "attempts/retried/")).hasSize(3);
    assertThat(sum("s3://large/attempts/retried")).isEqualTo(3);
    assertThat(Lake.pendingUploads("large", "attempts/retried/")).isEmpty();
    assertThat(Lake.store("large").done()).contains(Operation.ABORT_UPLOAD);
  }

  /** Plays the driver when a speculative copy of a task is first to ask whether to commit. */
  @Test
  void anAttemptWhoseTwinCommitsFirstLeavesNothing() {
    Rows.each(AttemptsTest::loseToTwin);

    write("attempts/twins");

    assertThat(Lake.dataKeys("large", "attempts/twins/")).hasSize(3);
    assertThat(sum("s3://large/attempts/twins")).isEqualTo(3);
    assertThat(Lake.pendingUploads("large", "attempts/twins/")).isEmpty();
    // One whose creation has not begun by then is not made at all.
    assertThat(Lake.store("large").done().stream().filter(done -> done == Operation.ABORT_UPLOAD))
        .hasSizeBetween(1, 3);
  }

  /** An attempt on a slow machine must not keep the copies of its task from committing. */
  @Test
  void anAttemptAsksWhetherItMayCommitOnceItsUploadsAreStored() {
    AtomicReference<TaskContext> slow = new AtomicReference<>();
    Thread[] thread = new Thread[1];
    Rows.each(
        row -> {
          thread[0] = Thread.currentThread();
          slow.set(TaskContext.get());
        });
    AtomicBoolean twinMayCommit = new AtomicBoolean();
    AtomicBoolean isHeld = new AtomicBoolean();
    Lake.store("large")
        .before(
            operation -> {
              if (operation == Operation.UPLOAD_PART && isHeld.compareAndSet(false, true)) {
                awaitUploadsIn(thread[0]);
                twinMayCommit.set(mayTwinCommit(slow.get()));
                loseTwin(slow.get());
              }
            });

    write("attempts/slow");

    assertThat(isHeld).isTrue();
    assertThat(twinMayCommit).isTrue();
    assertThat(sum("s3://large/attempts/slow")).isEqualTo(3);
  }

  /** Returns once the task has written all its rows, and waits for its uploads. */
  private static void awaitUploadsIn(Thread task) {
    while (Stream.of(task.getStackTrace()).noneMatch(AttemptsTest::waitsForUploads)) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static boolean waitsForUploads(StackTraceElement at) {
    return at.getClassName().equals(Jobs.class.getName())
        && (at.getMethodName().equals("awaitStored") || at.getMethodName().equals("drain"));
  }

  /** A partition by the time at which a task runs is an example. */
  @Test
  void anAttemptThatWritesToAnotherPlaceThanTheFirstOneLeavesOnlyItsOwn() {
    failOnceItUploads();

    byAttempt("append", "attempts/elsewhere");

    assertThat(Lake.dataKeys("large", "attempts/elsewhere/"))
        .hasSize(3)
        .allMatch(key -> key.startsWith("attempts/elsewhere/attempt=1/"));
    assertThat(sum("s3://large/attempts/elsewhere")).isEqualTo(3);
    assertThat(Lake.pendingUploads("large", "attempts/elsewhere/")).isEmpty();
    assertThat(Lake.store("large").done())
        .as("the first attempt had begun to write")
        .contains(Operation.ABORT_UPLOAD);
  }

  /** A dynamic overwrite replaces only what the attempt that counts has written. */
  @Test
  void aSpeculativeAttemptThatLosesReplacesNothingElsewhere() {
    spark
        .sql("SELECT 7L AS id, 0 AS attempt")
        .write()
        .partitionBy("attempt")
        .parquet("s3://large/attempts/dynamic");
    Rows.each(AttemptsTest::loseToTwin);

    byAttempt("overwrite", "attempts/dynamic");

    assertThat(
            spark
                .read()
                .parquet("s3://large/attempts/dynamic")
                .groupBy("attempt")
                .sum("id")
                .collectAsList()
                .stream()
                .map(Row::toString))
        .as("the partition of the attempt that lost is as it was")
        .containsExactlyInAnyOrder("[0,7]", "[1,3]");
    assertThat(Lake.pendingUploads("large", "attempts/dynamic/")).isEmpty();
  }

  /**
   * One task writes three rows into a partition that is named by its attempt, each in a file of its
   * own. The rows are sorted before they are acted on, or Spark would sort them first.
   */
  private void byAttempt(String mode, String prefix) {
    spark
        .range(0, 3, 1, 1)
        .selectExpr("id", "attempt() AS attempt")
        .sortWithinPartitions("attempt")
        .selectExpr("at(id) AS id", "attempt")
        .write()
        .mode(mode)
        .option("maxRecordsPerFile", 1)
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("attempt")
        .parquet("s3://large/" + prefix);
  }

  @Test
  void aTaskThatIsKilledAbortsItsUploads() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    Rows.each(
        row -> {
          if (row == 2) {
            reached.countDown();
            new CountDownLatch(1).await();
          }
        });

    killOnce(reached, () -> write("attempts/killed"));

    assertThat(Lake.keys("large", "attempts/killed/")).isEmpty();
    assertThat(Lake.pendingUploads("large", "attempts/killed/")).isEmpty();
  }

  /** Libraries that catch the interrupt set the flag again; uploads must be aborted under it. */
  @Test
  void aTaskThatIsStillInterruptedAbortsItsUploads() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    Rows.each(
        row -> {
          if (row == 2) {
            reached.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw e;
            }
          }
        });

    killOnce(reached, () -> write("attempts/interrupted"));

    assertThat(Lake.keys("large", "attempts/interrupted/")).isEmpty();
    assertThat(Lake.pendingUploads("large", "attempts/interrupted/")).isEmpty();
  }

  @Test
  void aTaskThatIsKilledWhileItCommitsAbortsItsUploads() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch killed = new CountDownLatch(1);
    Lake.store("large")
        .before(
            operation -> {
              if (operation == Operation.UPLOAD_PART) {
                reached.countDown();
                try {
                  killed.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });

    killOnce(reached, killed::countDown, () -> write("attempts/killed-late"));

    assertThat(Lake.keys("large", "attempts/killed-late/")).isEmpty();
    assertThat(Lake.pendingUploads("large", "attempts/killed-late/")).isEmpty();
  }

  /** Four rows are more than one part of an upload holds. */
  @Test
  void aTaskOfAnRddThatIsKilledAbortsItsUploads() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch uploading = new CountDownLatch(1);
    Lake.store("large")
        .before(
            operation -> {
              if (operation == Operation.UPLOAD_PART) {
                uploading.countDown();
              }
            });
    Rows.each(
        row -> {
          uploading.await();
          reached.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw e;
          }
        });

    killOnce(
        reached,
        () ->
            spark
                .sql("SELECT id, repeat('x', 9000000) AS x FROM range(0, 5, 1, 1)")
                .selectExpr("IF(id = 4, at(id), id) AS id", "x")
                .toJavaRDD()
                .map(row -> row.getString(1))
                .saveAsTextFile("s3://large/attempts/killed-rdd"));

    assertThat(Lake.keys("large", "attempts/killed-rdd/")).isEmpty();
    assertThat(Lake.pendingUploads("large", "attempts/killed-rdd/")).isEmpty();
    assertThat(Lake.store("large").done()).contains(Operation.UPLOAD_PART);
  }

  /** The first attempt fails at its last row, not before an upload of its has begun. */
  private static void failOnceItUploads() {
    CountDownLatch uploading = new CountDownLatch(1);
    Lake.store("large")
        .before(
            operation -> {
              if (operation == Operation.CREATE_UPLOAD) {
                uploading.countDown();
              }
            });
    Rows.each(
        row -> {
          if (row == 2 && TaskContext.get().attemptNumber() == 0) {
            uploading.await();
            throw new IllegalStateException("the first attempt fails");
          }
        });
  }

  private void killOnce(CountDownLatch reached, Runnable write) throws Exception {
    killOnce(reached, () -> {}, write);
  }

  private void killOnce(CountDownLatch reached, Runnable afterwards, Runnable write)
      throws Exception {
    SparkContext context = spark.sparkContext();
    CompletableFuture<Void> job =
        CompletableFuture.runAsync(
            () -> {
              context.setJobGroup("killed", "to be killed", true);
              write.run();
            });
    assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
    context.cancelJobGroup("killed");
    assertThatThrownBy(job::join).hasStackTraceContaining("cancelled");
    afterwards.run();
    Lake.tasks().awaitNone();
  }

  private static void loseToTwin(long row) {
    if (row == 0) {
      TaskContext task = TaskContext.get();
      if (task.attemptNumber() == 0) {
        assertThat(mayTwinCommit(task)).isTrue();
      } else {
        loseTwin(task);
      }
    }
  }

  private static boolean mayTwinCommit(TaskContext task) {
    return SparkEnv.get()
        .outputCommitCoordinator()
        .canCommit(task.stageId(), task.stageAttemptNumber(), 0, TWIN);
  }

  /** The twin is lost after all, or its job would never end. */
  private static void loseTwin(TaskContext task) {
    SparkEnv.get()
        .outputCommitCoordinator()
        .taskCompleted(task.stageId(), task.stageAttemptNumber(), 0, TWIN, TaskResultLost$.MODULE$);
  }

  /** Three rows by one task, each in a file of its own. */
  private void write(String prefix) {
    spark
        .range(0, 3, 1, 1)
        .selectExpr("at(id) as id")
        .write()
        .option("maxRecordsPerFile", 1)
        .parquet("s3://large/" + prefix);
  }

  private long sum(String path) {
    return spark.read().parquet(path).selectExpr("sum(id)").first().getLong(0);
  }
}
