/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.ClaimWatch;
import io.penstock.core.checkpoint.Claims;
import io.penstock.core.checkpoint.Writer;
import io.penstock.core.stack.Engine;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.BatchNames;
import io.penstock.hadoop.checkpoint.LogPosition;
import java.io.IOException;
import java.util.Optional;
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
 * Returns the run of a query that writes the files at one location. The driver claims the
 * checkpoint when the run begins, that is, when the stream thread first uses the log of offsets. A
 * local property carries the claim to the tasks, as Spark does with the query's id.
 */
final class QueryWriter implements Supplier<Writer> {
  private static final Logger LOG = LoggerFactory.getLogger(QueryWriter.class);

  private static final String NO_WRITE = "";

  /** Our own property: the checkpoint and its writer, with a line break between. */
  private static final String CLAIM = "penstock.checkpoint.claim";

  /** A property of Spark that is set only in the thread of a streaming query. */
  private static final String QUERY = "sql.streaming.queryId";

  /** A property of Spark: the run's id in the thread of a streaming query. */
  private static final String RUN = "spark.jobGroup.id";

  /** The claim of this thread. A stream thread executes one run, which claims once. */
  private static final ThreadLocal<Claimed> OF_RUN = new ThreadLocal<>();

  private final Engine engine;
  private final Path location;
  private final Optional<Claimed> ofTask;
  private volatile Optional<Claimed> claimed = Optional.empty();

  /**
   * A checkpoint and the run that has claimed it.
   *
   * @param watch notices later claims; present only on the driver
   */
  private record Claimed(Path checkpoint, Writer writer, Optional<ClaimWatch> watch) {}

  /**
   * Makes the writer. Must be called in the thread of the task or query that will write.
   *
   * @param location the qualified path of a log, of a store's partition, or of the checkpoint
   *     itself
   */
  QueryWriter(Engine engine, Path location) {
    this.engine = engine;
    this.location = location;
    this.ofTask =
        Optional.ofNullable(TaskContext.get())
            .map(task -> task.getLocalProperty(CLAIM))
            .flatMap(claim -> told(claim, location));
  }

  private static Optional<Claimed> told(String claim, Path location) {
    return parsed(claim).filter(told -> BatchNames.isInside(location, told.checkpoint()));
  }

  private static Optional<Claimed> parsed(String claim) {
    int end = claim.indexOf('\n');
    return Writer.ofWriteId(claim.substring(end + 1))
        .map(writer -> new Claimed(new Path(claim.substring(0, end)), writer, Optional.empty()));
  }

  @Override
  public Writer get() {
    return claim().map(Claimed::writer).orElseGet(QueryWriter::unclaimed);
  }

  /** Returns the checkpoint that the run has claimed, if it is known here. */
  Optional<Path> checkpoint() {
    return claim().map(Claimed::checkpoint);
  }

  private Optional<Claimed> claim() {
    return ofTask.or(() -> claimed).or(this::claimedByThread);
  }

  /**
   * Returns the claim of the stream thread, which is this thread or the thread that started it.
   * Another run in this process, before or after, has its own claim. So has a query that was
   * started inside this one. A file sink's log also belongs to the claim: it is outside the
   * checkpoint, but the run writes it.
   */
  private Optional<Claimed> claimedByThread() {
    SparkContext spark = active();
    String claim = property(spark, CLAIM);
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    return parsed(claim)
        .filter(told -> told.writer().query().equals(property(spark, QUERY)))
        .filter(
            told ->
                location.getName().equals(BatchNames.SINK_LOG)
                    || BatchNames.isInside(location, told.checkpoint()))
        .map(told -> watched(told));
  }

  private Claimed watched(Claimed told) {
    Optional<ClaimWatch> watch = engine.claims().of(told.checkpoint().toString(), told.writer());
    return watch.isPresent() ? new Claimed(told.checkpoint(), told.writer(), watch) : told;
  }

  /**
   * Claims the checkpoint if a run of a query begins with the current call.
   *
   * @param claimsAt returns the claims of the checkpoint at a location
   */
  void claimAtStart(Function<Path, Claims> claimsAt) throws IOException {
    if (claimed.isPresent()
        || !location.getName().equals(BatchNames.OFFSETS)
        || TaskContext.get() != null) {
      return;
    }
    SparkContext spark = active();
    if (spark == null || spark.getLocalProperty(QUERY) == null) {
      return; // No query runs here: the caller only reads a checkpoint.
    }
    Path checkpoint = location.getParent();
    Claimed before = OF_RUN.get();
    if (before != null) {
      // Planning a batch opens the offsets again, and a user's function may read any checkpoint.
      claimed = Optional.of(before).filter(own -> own.checkpoint().equals(checkpoint));
      return;
    }
    Claims claims = claimsAt.apply(checkpoint);
    Writer writer = claims.claim(unclaimed(), engine.time().now());
    ClaimWatch watch = new ClaimWatch(claims, writer, engine.time());
    Claimed now = new Claimed(checkpoint, writer, Optional.of(watch));
    claimed = Optional.of(now);
    OF_RUN.set(now);
    engine.claims().claimed(checkpoint.toString(), watch);
    spark.setLocalProperty(CLAIM, checkpoint + "\n" + writer.writeId(NO_WRITE));
    LOG.info("{} is written by {}", checkpoint, writer);
  }

  /**
   * Returns the output of a batch's file in a log. The output writes no file if this run was
   * overtaken.
   */
  AtomicOutput watched(AtomicOutput output, LogPosition position) {
    Optional<ClaimWatch> watch = watchOf(position);
    return watch.isPresent() ? new WatchedOutput(output, watch.get(), position) : output;
  }

  /** Fails if a file is missing in a log and a later run has already written behind it. */
  void requireNotOvertaken(LogPosition position) throws IOException {
    Optional<ClaimWatch> watch = watchOf(position);
    if (watch.isPresent()) {
      WatchedOutput.require(watch.get(), position);
    }
  }

  private Optional<ClaimWatch> watchOf(LogPosition position) {
    return position.isInLog() ? claim().flatMap(Claimed::watch) : Optional.empty();
  }

  /**
   * Must be called when a file is missing that should exist: a later run may have deleted it.
   *
   * @param claimsAt returns the claims of the checkpoint at a location
   * @throws ClaimWatch.OvertakenException if a later run has claimed the checkpoint
   */
  void look(Function<Path, Claims> claimsAt) throws IOException {
    Optional<Claimed> claim = claim();
    if (claim.isPresent()) {
      Claims claims = claimsAt.apply(claim.get().checkpoint());
      new ClaimWatch(claims, claim.get().writer(), engine.time()).look();
    }
  }

  private static Writer unclaimed() {
    SparkContext spark = active();
    SparkEnv here = SparkEnv.get();
    String application = here == null ? "" : here.conf().get("spark.app.id", "");
    String host = here == null ? "" : here.conf().get("spark.driver.host", "");
    long pid = ProcessHandle.current().pid();
    return new Writer(0, application, host, pid, property(spark, QUERY), property(spark, RUN));
  }

  private static String property(SparkContext spark, String name) {
    String value = spark == null ? null : spark.getLocalProperty(name);
    return value == null ? "" : value;
  }

  /** Returns the active Spark context; null on executors and without Spark. */
  static SparkContext active() {
    scala.Option<SparkContext> active = SparkContext$.MODULE$.getActive();
    return active.isEmpty() ? null : active.get();
  }
}
