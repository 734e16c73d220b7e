/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.stack.Engine;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.SparkSession;

/**
 * Where the tests of this module run: one embedded S3 and one Spark session for all of them, in
 * this process, so that a test can look at the store from inside a task. Every test writes under a
 * prefix of its own. In the bucket "large" all files are uploads, however small; in "tight" files
 * of up to 0.5 MB are inline.
 */
final class Lake {
  private static EmbeddedS3 s3;
  private static SparkSession spark;
  private static RunningTasks tasks;

  private Lake() {}

  static synchronized EmbeddedS3 s3() {
    if (s3 == null) {
      try {
        s3 =
            EmbeddedS3.builder()
                .bucket("lake")
                .bucket("large")
                .bucket("tight")
                .bucket("pond")
                .stores(
                    bucket -> new RecordingStore(new InMemoryStore(bucket, SystemTime.INSTANCE)))
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return s3;
  }

  /** A session with the plugin, as the documentation says to start one. */
  static synchronized SparkSession spark() {
    if (spark == null) {
      spark = start(Map.of("spark.plugins", "io.penstock.spark.PenstockPlugin"));
      tasks = new RunningTasks(spark.sparkContext());
    }
    return spark;
  }

  static synchronized RunningTasks tasks() {
    return tasks;
  }

  /** Another session, instead of the shared one, which the next test starts again. */
  static synchronized SparkSession alone(Map<String, String> conf) {
    if (spark != null) {
      spark.stop();
      spark = null;
      tasks = null;
    }
    return start(conf);
  }

  private static SparkSession start(Map<String, String> conf) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.ui.enabled", "false");
    all.put("spark.driver.host", "127.0.0.1");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.sql.shuffle.partitions", "2");
    all.put("spark.sql.warehouse.dir", "s3://lake/warehouse");
    all.put("spark.hadoop.penstock.endpoint", s3().endpoint().toString());
    all.put("spark.hadoop.penstock.credentials", "anonymous");
    all.put("spark.hadoop.penstock.conditional.writes", "true");
    all.put("spark.hadoop.penstock.bucket.large.commit.inline.file.max", "0");
    all.put("spark.hadoop.penstock.bucket.tight.commit.inline.file.max", "500000");
    // A machine busy with other work is no slow store: requests are counted exactly here.
    all.put("spark.hadoop.penstock.hedge.enabled", "false");
    all.put("spark.hadoop.penstock.deadline.enabled", "false");
    // It would list the state of queries that have ended while another test counts requests.
    all.put("spark.sql.streaming.stateStore.maintenanceInterval", "1h");
    all.put("spark.hadoop.penstock.retry.delay.min", "1ms");
    all.putAll(conf);
    // Two cores, and a task that fails twice fails its job.
    SparkSession.Builder builder = SparkSession.builder().master("local[2,2]").appName("tests");
    all.forEach(builder::config);
    SparkSession started = builder.getOrCreate();
    Rows.register(started);
    return started;
  }

  static RecordingStore store() {
    return store("lake");
  }

  static RecordingStore store(String bucket) {
    return (RecordingStore) s3().store(bucket);
  }

  /** The keys under a prefix of the bucket lake, as any reader would see them. */
  static List<String> keys(String prefix) {
    return keys("lake", prefix);
  }

  static List<String> keys(String bucket, String prefix) {
    try {
      return Keys.under(s3().store(bucket), prefix).stream().map(ObjectMeta::key).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The keys without the marker of success and those of directories, which catalogs make. */
  static List<String> dataKeys(String prefix) {
    return dataKeys("lake", prefix);
  }

  static List<String> dataKeys(String bucket, String prefix) {
    return keys(bucket, prefix).stream()
        .filter(key -> !key.endsWith("/_SUCCESS") && !key.endsWith("/"))
        .toList();
  }

  /** The keys of the uploads under a prefix that are neither completed nor aborted. */
  static List<String> pendingUploads(String prefix) {
    return pendingUploads("lake", prefix);
  }

  static List<String> pendingUploads(String bucket, String prefix) {
    try {
      return s3().store(bucket).listUploads(prefix, Optional.empty()).uploads().stream()
          .map(listed -> listed.upload().key())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often the endpoint was asked what while the action ran. */
  static Map<String, Long> requests(Runnable action) {
    awaitQuiet();
    s3().resetCounts();
    action.run();
    return s3().counts().requests();
  }

  /**
   * Waits until nothing of an earlier test makes requests: a job that failed returns before its
   * last tasks do, and whoever lost the answer to a creation looks for the upload ten seconds
   * later.
   */
  private static void awaitQuiet() {
    if (tasks != null) {
      tasks.awaitNone();
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (Engine.process().jobs().looksToCome() > 0) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("a look for uploads of an earlier test has not ended");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  static long copies() {
    return store().done().stream()
        .filter(done -> done == Operation.COPY || done == Operation.COPY_PART)
        .count();
  }

  static void faults(String rules) {
    s3().weather(Weather.CALM.withFaults(rules));
  }

  static void calm() {
    s3().weather(Weather.CALM);
    Rows.calm();
  }
}
