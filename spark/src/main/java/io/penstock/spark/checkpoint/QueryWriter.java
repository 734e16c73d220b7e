/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.Claims;
import io.penstock.core.checkpoint.Writer;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which run of a query writes the files at one location. The driver claims the checkpoint when the
 * run begins, that is when its stream thread first uses the log of offsets; its tasks are told by a
 * local property, as Spark tells them the query.
 */
final class QueryWriter implements Supplier<Writer> {
  private static final Logger LOG = LoggerFactory.getLogger(QueryWriter.class);

  private static final String OFFSETS = "offsets";
  private static final String NO_WRITE = "";

  /** Of ours: the checkpoint and its writer, with a line break between. */
  private static final String CLAIM = "penstock.checkpoint.claim";

  /** Of Spark: set in the thread of a streaming query, and there only. */
  private static final String QUERY = "sql.streaming.queryId";

  /** Of Spark: the run's id in such a thread. */
  private static final String RUN = "spark.jobGroup.id";

  /** Of this driver: the last claim of each checkpoint. */
  private static final Map<Path, Writer> CLAIMED = new ConcurrentHashMap<>();

  private final Path location;
  private final Optional<Claimed> ofTask;
  private volatile Optional<Claimed> claimed = Optional.empty();

  /** Who has claimed which checkpoint. */
  private record Claimed(Path checkpoint, Writer writer) {}

  /**
   * To be made in the thread of the task or query that will write.
   *
   * @param location of a log, a store's partition, or the checkpoint itself; qualified
   */
  QueryWriter(Path location) {
    this.location = location;
    this.ofTask =
        Optional.ofNullable(TaskContext.get())
            .map(task -> task.getLocalProperty(CLAIM))
            .flatMap(claim -> told(claim, location));
  }

  private static Optional<Claimed> told(String claim, Path location) {
    int end = claim.indexOf('\n');
    Path checkpoint = new Path(claim.substring(0, end));
    return isUnder(location, checkpoint)
        ? Writer.ofMark(claim.substring(end + 1)).map(writer -> new Claimed(checkpoint, writer))
        : Optional.empty();
  }

  @Override
  public Writer get() {
    return claim().map(Claimed::writer).orElseGet(QueryWriter::unclaimed);
  }

  /** The checkpoint that the run has claimed, when this is known here. */
  Optional<Path> checkpoint() {
    return claim().map(Claimed::checkpoint);
  }

  private Optional<Claimed> claim() {
    return ofTask.or(() -> claimed).or(this::claimedAbove);
  }

  private Optional<Claimed> claimedAbove() {
    for (Path at = location; at != null && !CLAIMED.isEmpty(); at = at.getParent()) {
      Writer writer = CLAIMED.get(at);
      if (writer != null) {
        return Optional.of(new Claimed(at, writer));
      }
    }
    return Optional.empty();
  }

  /**
   * Claims the checkpoint if a run of a query begins with what its thread does now.
   *
   * @param claimsAt the claims of a checkpoint at its location
   */
  void claimAtStart(Function<Path, Claims> claimsAt) throws IOException {
    if (claimed.isPresent() || !location.getName().equals(OFFSETS) || TaskContext.get() != null) {
      return;
    }
    SparkContext spark = active();
    if (spark == null || spark.getLocalProperty(QUERY) == null) {
      return; // Somebody looks at a checkpoint.
    }
    Path checkpoint = location.getParent();
    Writer writer = claimsAt.apply(checkpoint).claim(unclaimed(), SystemTime.INSTANCE.now());
    claimed = Optional.of(new Claimed(checkpoint, writer));
    CLAIMED.put(checkpoint, writer);
    spark.setLocalProperty(CLAIM, checkpoint + "\n" + writer.mark(NO_WRITE));
    LOG.info("{} is written by {}", checkpoint, writer);
  }

  private static Writer unclaimed() {
    SparkContext spark = active();
    SparkEnv here = SparkEnv.get();
    String run = spark == null ? null : spark.getLocalProperty(RUN);
    String application = here == null ? "" : here.conf().get("spark.app.id", "");
    String host = here == null ? "" : here.conf().get("spark.driver.host", "");
    return new Writer(0, application, host, ProcessHandle.current().pid(), run == null ? "" : run);
  }

  /** Null on executors and without Spark. */
  static SparkContext active() {
    scala.Option<SparkContext> active = SparkContext$.MODULE$.getActive();
    return active.isEmpty() ? null : active.get();
  }

  private static boolean isUnder(Path path, Path directory) {
    for (Path at = path; at != null; at = at.getParent()) {
      if (at.equals(directory)) {
        return true;
      }
    }
    return false;
  }
}
