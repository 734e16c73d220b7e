/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** The RDD API's writes, through both of Hadoop's committer interfaces. */
class RddWritesTest {
  private final JavaSparkContext spark =
      JavaSparkContext.fromSparkContext(Lake.spark().sparkContext());

  @BeforeEach
  void forget() {
    Lake.store().forget();
  }

  @AfterEach
  void calm() {
    Lake.calm();
  }

  @Test
  void aTextFileIsWrittenWithoutACopy() {
    numbers(3).saveAsTextFile("s3://lake/rdd/text");

    assertThat(Lake.keys("rdd/text/"))
        .containsExactly(
            "rdd/text/_SUCCESS",
            "rdd/text/part-00000",
            "rdd/text/part-00001",
            "rdd/text/part-00002");
    assertThat(spark.textFile("s3://lake/rdd/text").collect()).containsExactly("0", "1", "2");
    assertNothingIsLeft();
  }

  @Test
  void anObjectFileIsWrittenWithoutACopy() {
    numbers(2).saveAsObjectFile("s3://lake/rdd/objects");

    assertThat(spark.objectFile("s3://lake/rdd/objects").collect()).containsExactly("0", "1");
    assertThat(Lake.dataKeys("rdd/objects/")).hasSize(2);
    assertNothingIsLeft();
  }

  @Test
  void aFileOfTheNewerApiIsWrittenWithoutACopy() {
    pairs(2)
        .saveAsNewAPIHadoopFile(
            "s3a://lake/rdd/newer", NullWritable.class, Text.class, TextOutputFormat.class);

    assertThat(Lake.keys("rdd/newer/"))
        .containsExactly("rdd/newer/_SUCCESS", "rdd/newer/part-r-00000", "rdd/newer/part-r-00001");
    assertThat(spark.textFile("s3://lake/rdd/newer").collect()).containsExactly("0", "1");
    assertNothingIsLeft();
  }

  @Test
  void noFileIsSeenBeforeTheJobCommits() {
    long before = Lake.tasks().ended();
    List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
    Rows.each(
        row -> {
          if (row == 1) {
            Lake.tasks().awaitEnded(before + 1);
            seen.addAll(Lake.keys("rdd/unseen/"));
          }
        });

    hooked(2).saveAsTextFile("s3://lake/rdd/unseen");

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0)).matches("rdd/unseen/_penstock_job_.*/_begun");
    assertThat(seen.get(1)).matches("rdd/unseen/_penstock_job_.*/task_.*_m_000000");
    assertThat(Lake.dataKeys("rdd/unseen/")).hasSize(2);
    assertNothingIsLeft();
  }

  @Test
  void aFailedJobOfTheOlderApiLeavesNothing() {
    failAtTheLastOfTwo();

    assertThatThrownBy(() -> hooked(2).saveAsTextFile("s3://lake/rdd/failed"))
        .hasStackTraceContaining("this row is bad");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys("rdd/failed/")).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aFailedJobOfTheNewerApiLeavesNothing() {
    failAtTheLastOfTwo();

    assertThatThrownBy(
            () ->
                hooked(2)
                    .mapToPair(
                        number -> new Tuple2<>(NullWritable.get(), new Text("number " + number)))
                    .saveAsNewAPIHadoopFile(
                        "s3://lake/rdd/failed-newer",
                        NullWritable.class,
                        Text.class,
                        TextOutputFormat.class))
        .hasStackTraceContaining("this row is bad");

    Lake.tasks().awaitNone();
    assertThat(Lake.keys("rdd/failed-newer/")).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aJobThatCannotBeCommittedLeavesNothing() {
    Lake.faults("CompleteMultipartUpload#2=412");

    assertThatThrownBy(() -> numbers(3).saveAsTextFile("s3://lake/rdd/uncommitted"))
        .hasStackTraceContaining("COMPLETE_UPLOAD");

    assertThat(Lake.keys("rdd/uncommitted/")).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aTaskThatIsRetriedWritesItsFileOnce() {
    numbers(2)
        .map(
            number -> {
              if (TaskContext.get().attemptNumber() == 0 && number.equals("1")) {
                throw new IllegalStateException("the first attempt fails");
              }
              return number;
            })
        .saveAsTextFile("s3://lake/rdd/retried");

    assertThat(spark.textFile("s3://lake/rdd/retried").collect()).containsExactly("0", "1");
    assertNothingIsLeft();
  }

  @Test
  void anEmptyPartitionIsAnEmptyFile() {
    spark.parallelize(List.of("only"), 2).saveAsTextFile("s3://lake/rdd/sparse");

    assertThat(Lake.dataKeys("rdd/sparse/")).hasSize(2);
    assertThat(spark.textFile("s3://lake/rdd/sparse").collect()).containsExactly("only");
  }

  @Test
  void compressedTextKeepsItsExtension() {
    numbers(1)
        .saveAsTextFile("s3://lake/rdd/zipped", org.apache.hadoop.io.compress.GzipCodec.class);

    assertThat(Lake.dataKeys("rdd/zipped/")).containsExactly("rdd/zipped/part-00000.gz");
    assertThat(spark.textFile("s3://lake/rdd/zipped").collect()).containsExactly("0");
  }

  @Test
  void otherFileSystemsAreCommittedByHadoopItself(@TempDir Path directory) {
    Path older = directory.resolve("older");
    Path newer = directory.resolve("newer");

    numbers(2).saveAsTextFile(older.toUri().toString());
    pairs(2)
        .saveAsNewAPIHadoopFile(
            newer.toUri().toString(), NullWritable.class, Text.class, TextOutputFormat.class);

    assertThat(older.resolve("part-00001")).hasContent("1");
    assertThat(newer.resolve("part-r-00001")).hasContent("1");
    assertThat(Files.exists(older.resolve("_SUCCESS"))).isTrue();
    assertThat(Files.exists(older.resolve("_temporary"))).isFalse();
  }

  private JavaRDD<String> numbers(int partitions) {
    List<String> numbers =
        java.util.stream.IntStream.range(0, partitions).mapToObj(Integer::toString).toList();
    return spark.parallelize(numbers, partitions);
  }

  /** As {@link #numbers}, through the test's action. */
  private JavaRDD<String> hooked(int partitions) {
    return Lake.spark()
        .range(0, partitions, 1, partitions)
        .selectExpr("cast(at(id) as string) as id")
        .toJavaRDD()
        .map(row -> row.getString(0));
  }

  private JavaPairRDD<NullWritable, Text> pairs(int partitions) {
    return numbers(partitions)
        .mapToPair(number -> new Tuple2<>(NullWritable.get(), new Text(number)));
  }

  private static void failAtTheLastOfTwo() {
    long before = Lake.tasks().ended();
    Rows.each(
        row -> {
          if (row == 1) {
            Lake.tasks().awaitEnded(before + 1);
            throw new IllegalStateException("this row is bad");
          }
        });
  }

  private static void assertNothingIsLeft() {
    assertThat(Lake.pendingUploads("rdd/")).isEmpty();
    assertThat(Lake.keys("rdd/")).noneMatch(key -> key.contains("_penstock_"));
    assertThat(Lake.copies()).isZero();
  }
}
