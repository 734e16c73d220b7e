/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * Checkpoints of RDDs and Datasets, whose files Spark writes under another name and renames. A task
 * that fails fails its job, if it is not said otherwise. Streaming contexts are checkpointed by
 * bench/rdd-checkpoint-requests.
 */
class OlderCheckpointsTest {
  private final JavaSparkContext spark =
      JavaSparkContext.fromSparkContext(Lake.spark().sparkContext());

  @BeforeEach
  void inADirectoryOfItsOwn() {
    spark.setCheckpointDir("s3://lake/older");
    Lake.store().forget();
  }

  private JavaRDD<Integer> numbers(int partitions) {
    return spark.parallelize(IntStream.range(0, 100).boxed().toList(), partitions);
  }

  private Map<String, Long> checkpointing(int partitions) {
    JavaRDD<Integer> numbers = numbers(partitions);
    numbers.checkpoint();
    return Lake.requests(numbers::count);
  }

  private static long total(Map<String, Long> requests) {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void anRddsFileIsPutLookedForReadPutAgainAndDeleted() {
    // Beside the four files Spark makes the directory, asks for it and lists it, and tries to read
    // a partitioner that this RDD has not.
    assertThat(checkpointing(4))
        .isEqualTo(
            Map.of(
                "PutObject", 9L,
                "ListObjectsV2", 7L,
                "DeleteObject", 4L,
                "GetObject", 5L));
  }

  @Test
  void oneMoreFileCostsFiveMoreRequests() {
    assertThat(total(checkpointing(3)) - total(checkpointing(2))).isEqualTo(5);
  }

  @Test
  void aCheckpointedRddIsReadFromItsFiles() {
    JavaRDD<Integer> numbers = numbers(3);
    numbers.checkpoint();
    assertThat(numbers.count()).isEqualTo(100);

    assertThat(numbers.isCheckpointed()).isTrue();
    assertThat(parts(key(numbers))).containsExactly("part-00000", "part-00001", "part-00002");
    Map<String, Long> requests =
        Lake.requests(() -> assertThat(numbers.reduce(Integer::sum)).isEqualTo(4950));
    assertThat(requests).containsEntry("GetObject", 3L).containsOnlyKeys("GetObject", "HeadObject");
  }

  @Test
  void aPartitionersFileIsOnePut() {
    var pairs = numbers(2).mapToPair(n -> new Tuple2<>(n % 10, n)).reduceByKey(Integer::sum);
    pairs.checkpoint();
    Map<String, Long> requests = Lake.requests(pairs::count);

    assertThat(requests)
        .isEqualTo(
            Map.of("PutObject", 6L, "ListObjectsV2", 5L, "GetObject", 2L, "DeleteObject", 2L));
  }

  @Test
  void aDatasetIsCheckpointedLikeAnRdd() {
    Dataset<Long> numbers = Lake.spark().range(0, 100, 1, 4);
    Map<String, Long> requests =
        Lake.requests(
            () -> {
              Dataset<Long> saved = numbers.checkpoint();
              assertThat(saved.count()).isEqualTo(100);
            });

    assertThat(requests)
        .containsEntry("PutObject", 9L)
        .containsEntry("GetObject", 9L)
        .containsEntry("DeleteObject", 4L)
        .containsEntry("ListObjectsV2", 7L);
  }

  @Test
  void anAttemptThatFailedLeavesTheNextOneToWriteTheFile() {
    JavaRDD<Integer> numbers =
        numbers(2)
            .map(
                n -> {
                  if (n == 99 && TaskContext.get().attemptNumber() == 0) {
                    throw new IllegalStateException("the first attempt fails");
                  }
                  return n;
                });
    numbers.checkpoint();
    assertThat(numbers.count()).isEqualTo(100);

    assertThat(numbers.collect()).hasSize(100);
    // Spark leaves the failed attempt's own file there, on every file system.
    assertThat(parts(key(numbers))).containsExactly("part-00000", "part-00001");
  }

  private static String key(JavaRDD<?> rdd) {
    return rdd.getCheckpointFile().get().replaceFirst("^s3://lake/", "") + "/";
  }

  private static List<String> parts(String prefix) {
    return Lake.keys(prefix).stream()
        .map(key -> key.substring(key.lastIndexOf('/') + 1))
        .filter(name -> name.startsWith("part-"))
        .toList();
  }
}
