/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint.mount;

import io.penstock.hadoop.mount.MountReport;
import io.penstock.hadoop.mount.MountWitness;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks with a small job that has one task for each core. Spark distributes the tasks to all
 * executors with free cores.
 */
final class SparkWitnesses implements Witnesses {
  private static final Logger LOG = LoggerFactory.getLogger(SparkWitnesses.class);
  private static final String DESCRIPTION = "spark.job.description";
  private static final int MOST_TASKS = 5_000;

  private final SparkContext spark;

  SparkWitnesses(SparkContext spark) {
    this.spark = spark;
  }

  @Override
  public int count() {
    return spark.statusTracker().getExecutorInfos().length - 1; // the list includes the driver
  }

  @Override
  public List<MountReport> ask(String directory, String token, Duration atMost) throws IOException {
    String description = spark.getLocalProperty(DESCRIPTION);
    spark.setLocalProperty(DESCRIPTION, "Penstock: check which executors see " + directory);
    try {
      return run(directory, token, atMost);
    } finally {
      spark.setLocalProperty(DESCRIPTION, description);
    }
  }

  private List<MountReport> run(String directory, String token, Duration atMost)
      throws IOException {
    int tasks = Math.min(MOST_TASKS, Math.max(count(), spark.defaultParallelism()));
    List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
    JavaFutureAction<List<byte[]>> job =
        JavaSparkContext.fromSparkContext(spark)
            .parallelize(new ArrayList<>(numbers), tasks)
            .map(number -> pack(lookHere(directory, token)))
            .collectAsync();
    try {
      List<MountReport> sightings = new ArrayList<>();
      for (byte[] packed : job.get(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        sightings.add(unpack(packed));
      }
      return sightings;
    } catch (InterruptedException e) {
      job.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while executors were checking " + directory);
    } catch (TimeoutException e) {
      job.cancel(true);
      return List.of();
    } catch (ExecutionException e) {
      // A failure to ask must not fail the query. If the mount is at fault, the first batch fails.
      LOG.warn("Executors could not be asked whether they see {}", directory, e.getCause());
      return List.of();
    }
  }

  private static MountReport lookHere(String directory, String token) throws IOException {
    SparkEnv env = SparkEnv.get();
    String host = env.blockManager().blockManagerId().host();
    return MountWitness.look(directory, token, "executor " + env.executorId(), host);
  }

  /**
   * Returns the sighting as bytes. Kryo cannot read records if it is the application's serializer.
   */
  static byte[] pack(MountReport sighting) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sighting);
    }
    return bytes.toByteArray();
  }

  static MountReport unpack(byte[] packed) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(packed))) {
      return (MountReport) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("an executor runs another version of Penstock", e);
    }
  }
}
