/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskFiles;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileNameSpec;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** The protocol itself, without the plugin around it. */
class CommitProtocolTest {
  private static final PenstockCommitProtocol PROTOCOL =
      new PenstockCommitProtocol("job-1", "s3://lake/protocol/table", false);

  /** Hadoop keeps the first file system of a bucket, so Spark's settings come before all tests. */
  @BeforeAll
  static void startSpark() {
    Lake.spark();
  }

  @Test
  void aFileThatAnotherClientWroteFailsTheTaskAndIsDeleted() {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(Lake.spark().sparkContext());

    assertThatThrownBy(() -> spark.parallelize(List.of(1), 1).foreach(row -> writePastPenstock()))
        .hasStackTraceContaining("was written by another S3 client than Penstock's")
        .hasStackTraceContaining("spark.comet.write.parquet.enabled=false");

    assertThat(Lake.keys("protocol/native/")).isEmpty();
  }

  /** Does what a writer in native code would do with the path that Spark gives it. */
  private static void writePastPenstock() throws IOException {
    PenstockCommitProtocol protocol =
        new PenstockCommitProtocol("job-native", "s3://lake/protocol/native", false);
    TaskAttemptContext task = task(0, 0);
    protocol.setupTask(task);
    Path file =
        new Path(protocol.newTaskTempFile(task, Option.empty(), new FileNameSpec("", ".parquet")));
    PenstockFileSystem fs = (PenstockFileSystem) file.getFileSystem(task.getConfiguration());
    fs.store().put(fs.key(file), Body.ofBytes(new byte[] {1, 2, 3}), Condition.NONE);
    protocol.commitTask(task);
  }

  @Test
  void itIsSentToTasksInLessThanAKilobyte() throws Exception {
    byte[] bytes = serialized(PROTOCOL);

    assertThat(bytes).hasSizeLessThan(1024);
    PenstockCommitProtocol copy = (PenstockCommitProtocol) deserialized(bytes);
    assertThat(copy.newTaskTempFile(task(7, 0), Option.empty(), new FileNameSpec("", ".csv")))
        .isEqualTo(
            "s3://lake/protocol/table/__penstock_job-1_attempt-20260101-0001-m-000007-0"
                + "/part-00007-job-1.csv");
  }

  @Test
  void sparkMakesItFromItsClassName() {
    FileCommitProtocol made =
        FileCommitProtocol.instantiate(
            "io.penstock.spark.PenstockCommitProtocol", "job-1", "s3://lake/t", true);

    assertThat(made).isInstanceOf(PenstockCommitProtocol.class);
  }

  @Test
  void aTasksMessageSurvivesTheWayToTheDriver() throws Exception {
    TaskFile upload =
        new TaskUpload(
            "lake",
            new PendingUpload(
                new Upload("t/p=ü/part-0", "upload-1"),
                List.of(new Part(1, "\"aa\"", 5_242_880), new Part(2, "\"bb\"", 3))));
    FileCommitProtocol.TaskCommitMessage message =
        new FileCommitProtocol.TaskCommitMessage(new TaskFiles(List.of(upload)).toBytes());

    byte[] bytes = serialized(message);

    FileCommitProtocol.TaskCommitMessage received =
        (FileCommitProtocol.TaskCommitMessage) deserialized(bytes);
    assertThat(TaskFiles.fromBytes((byte[]) received.obj()).files()).containsExactly(upload);
    assertThat(bytes).hasSizeLessThan(512);
  }

  @Test
  void filesOfAPartitionAreNamedAsSparkNamesThem() {
    assertThat(
            PROTOCOL.newTaskTempFile(
                task(3, 1), Option.apply("p=1/q=a b"), new FileNameSpec("pre-", "_00002.c000")))
        .isEqualTo(
            "s3://lake/protocol/table/__penstock_job-1_attempt-20260101-0001-m-000003-1"
                + "/p=1/q=a b/pre-part-00003-job-1_00002.c000");
  }

  @Test
  @SuppressWarnings("deprecation") // Spark 3.5 calls it
  void theOlderMethodsNameFilesTheSameWay() {
    PenstockCommitProtocol other =
        new PenstockCommitProtocol("job-1", "s3://lake/protocol/table", false);
    assertThat(PROTOCOL.newTaskTempFile(task(0, 0), Option.empty(), ".txt"))
        .isEqualTo(other.newTaskTempFile(task(0, 0), Option.empty(), new FileNameSpec("", ".txt")));
  }

  @Test
  void aFileSystemThatIsNotOursIsAClearError() {
    Configuration conf = new Configuration(false);
    conf.set("fs.s3.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    conf.set("fs.s3.impl.disable.cache", "true");
    TaskAttemptContext job = new TaskAttemptContextImpl(conf, attempt(0, 0));

    assertThatThrownBy(() -> PROTOCOL.setupJob(job))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "s3://lake/protocol/table is served by org.apache.hadoop.fs.RawLocalFileSystem, so its"
                + " files cannot be committed without a rename. Start Spark with"
                + " spark.plugins=io.penstock.spark.PenstockPlugin, or set"
                + " spark.hadoop.fs.s3.impl=io.penstock.hadoop.PenstockFileSystem. If one of these"
                + " is set already, some code opened the bucket before the plugins started, or"
                + " opened it with its own configuration. In that case, take hadoop-aws off the"
                + " class path");
  }

  /** An executor's cache may hold another one than the driver's; its rows would be lost. */
  @Test
  void aTaskDoesNotStartAFileOnAFileSystemThatIsNotOurs() {
    Configuration conf = new Configuration(false);
    conf.set("fs.s3.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    conf.set("fs.s3.impl.disable.cache", "true");
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, attempt(0, 0));

    assertThatThrownBy(
            () ->
                PROTOCOL.newTaskTempFile(
                    task, scala.Option.empty(), new FileNameSpec("", ".parquet")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is served by org.apache.hadoop.fs.RawLocalFileSystem");
  }

  @Test
  void overwritingAWholeBucketIsRefused() throws Exception {
    Configuration conf = Lake.spark().sparkContext().hadoopConfiguration();
    Path root = new Path("s3://pond/");
    FileSystem fs = root.getFileSystem(conf);
    PenstockCommitProtocol protocol = new PenstockCommitProtocol("job-2", "s3://pond/", false);

    assertThatThrownBy(() -> protocol.deleteWithJob(fs, root, true))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "overwriting s3://pond/ would delete the whole bucket; write to a prefix in the"
                + " bucket");
  }

  /** Spark's own in-memory catalog cannot have such a partition, Hive's can. */
  @Test
  void aDynamicOverwriteReplacesAPartitionInAnotherBucketAndNothingOfThatNameInThis()
      throws Exception {
    Configuration conf = Lake.spark().sparkContext().hadoopConfiguration();
    for (String old : List.of("s3://lake/protocol/far/p=1/old", "s3://pond/protocol/far/p=1/old")) {
      write(conf, old);
    }
    PenstockCommitProtocol protocol =
        new PenstockCommitProtocol("job-3", "s3://lake/protocol/far", true);
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, attempt(0, 0));
    write(
        conf,
        protocol.newTaskTempFileAbsPath(
            task, "s3://pond/protocol/far/p=1", new FileNameSpec("", ".txt")));
    List<TaskFile> uploads =
        Engine.process().jobs().drain(Segment.of("job-3", "attempt_20260101_0001_m_000000_0"));

    protocol.commitJob(
        task,
        CollectionConverters.asScala(
                List.of(new FileCommitProtocol.TaskCommitMessage(new TaskFiles(uploads).toBytes())))
            .toList());

    assertThat(Lake.keys("pond", "protocol/far/"))
        .containsExactly("protocol/far/p=1/part-00000-job-3.txt");
    assertThat(Lake.keys("protocol/far/"))
        .containsExactly("protocol/far/_SUCCESS", "protocol/far/p=1/old");
  }

  @Test
  void whatALostExecutorHadSentIsAbortedWhenItsJobEndsAndNothingElse() throws Exception {
    Configuration conf = Lake.spark().sparkContext().hadoopConfiguration();
    PenstockFileSystem fs = (PenstockFileSystem) new Path("s3://lake/").getFileSystem(conf);
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, attempt(0, 0));
    for (boolean isLost : new boolean[] {false, true}) {
      String jobId = "job-with-lost-" + isLost;
      PenstockCommitProtocol protocol =
          new PenstockCommitProtocol(jobId, "s3://lake/protocol/lost", false);
      protocol.setupJob(task);
      fs.store().createUpload("protocol/lost/part-7-" + jobId);
      if (isLost) {
        fs.store().createUpload("protocol/lost/part-7-of-others");
        Engine.process().jobs().taskLost();
      }
      protocol.commitJob(
          task,
          CollectionConverters.asScala(List.<FileCommitProtocol.TaskCommitMessage>of()).toList());
    }
    assertThat(Keys.uploads(fs.store(), "protocol/lost/"))
        .extracting(listed -> listed.upload().key())
        .containsExactlyInAnyOrder(
            "protocol/lost/part-7-job-with-lost-false", "protocol/lost/part-7-of-others");
  }

  @Test
  void aTaskThatIsTriedAgainUnderTheSameNameWritesAndAThreadOfTheFirstTryDoesNot()
      throws Exception {
    Configuration conf = Lake.spark().sparkContext().hadoopConfiguration();
    PenstockCommitProtocol protocol =
        new PenstockCommitProtocol("job-4", "s3://lake/protocol/again", false);
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, attempt(0, 0));
    String file = protocol.newTaskTempFile(task, Option.empty(), new FileNameSpec("", ".txt"));
    protocol.setupTask(task);
    write(conf, file);
    protocol.abortTask(task);
    assertThatThrownBy(() -> write(conf, file))
        .hasMessageContaining("has been committed or aborted");

    protocol.setupTask(task);
    write(conf, file);

    assertThat(
            Engine.process().jobs().drain(Segment.of("job-4", "attempt_20260101_0001_m_000000_0")))
        .hasSize(1);
  }

  @Test
  void itWorksWithoutThePluginWhenItsClassesAreSetByHand() {
    SparkSession spark =
        Lake.alone(
            Map.of(
                "spark.hadoop.fs.s3.impl", "io.penstock.hadoop.PenstockFileSystem",
                "spark.hadoop.fs.AbstractFileSystem.s3.impl", "io.penstock.hadoop.PenstockFs",
                "spark.sql.sources.commitProtocolClass",
                    "io.penstock.spark.PenstockCommitProtocol"));
    try {
      Lake.store().forget();
      spark.range(0, 4, 1, 2).write().parquet("s3://lake/protocol/by-hand");

      spark.range(0, 2, 1, 2).write().mode("overwrite").parquet("s3://lake/protocol/by-hand");

      assertThat(spark.read().parquet("s3://lake/protocol/by-hand").count()).isEqualTo(2);
      assertThat(Lake.copies()).isZero();
      assertThat(Lake.dataKeys("protocol/by-hand/")).hasSize(2);
      assertThat(Lake.pendingUploads("protocol/by-hand/")).isEmpty();
    } finally {
      spark.stop();
    }
  }

  private static void write(Configuration conf, String path) throws IOException {
    Path file = new Path(path);
    try (OutputStream out = file.getFileSystem(conf).create(file)) {
      out.write('x');
    }
  }

  private static TaskAttemptContext task(int split, int attempt) {
    return new TaskAttemptContextImpl(new Configuration(false), attempt(split, attempt));
  }

  private static TaskAttemptID attempt(int split, int number) {
    return new TaskAttemptID("20260101", 1, TaskType.MAP, split, number);
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object deserialized(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }
}
