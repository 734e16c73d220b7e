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
 * Knows which run of a query writes the files at one location. The driver claims the checkpoint
 * when the run begins, that is when its stream thread first uses the log of offsets; its tasks are
 * told by a local property, as Spark tells them the query.
 */
final class QueryWriter implements Supplier<Writer> {
  private static final Logger LOG = LoggerFactory.getLogger(QueryWriter.class);

  private static final String OFFSETS = "offsets";

  private static final String NO_WRITE = "";

  /** Our own property: the checkpoint and its writer, with a line break between. */
  private static final String CLAIM = "penstock.checkpoint.claim";

  /** A property of Spark, set in the thread of a streaming query and there only. */
  private static final String QUERY = "sql.streaming.queryId";

  /** A property of Spark: the run's id in such a thread. */
  private static final String RUN = "spark.jobGroup.id";

  /** The claim of this very thread: a stream thread is one run, which claims once. */
  private static final ThreadLocal<Claimed> OF_RUN = new ThreadLocal<>();

  private final Engine engine;
  private final Path location;
  private final Optional<Claimed> ofTask;
  private volatile Optional<Claimed> claimed = Optional.empty();

  /**
   * Who has claimed which checkpoint.
   *
   * @param watch notices later claims; only the driver has one
   */
  private record Claimed(Path checkpoint, Writer writer, Optional<ClaimWatch> watch) {}

  /**
   * Must be made in the thread of the task or query that will write.
   *
   * @param location of a log, a store's partition, or the checkpoint itself; qualified
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

  /** The checkpoint that the run has claimed, when this is known here. */
  Optional<Path> checkpoint() {
    return claim().map(Claimed::checkpoint);
  }

  private Optional<Claimed> claim() {
    return ofTask.or(() -> claimed).or(this::claimedByThread);
  }

  /**
   * Returns what the stream thread has claimed, or the one that started this thread. Another run in
   * this process, before or after, has its own; so has a query that was started inside of this one.
   * A file sink's log is not in the checkpoint, but written by its run.
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
    Claimed before = OF_RUN.get();
    if (before != null) {
      // Planning a batch opens the offsets anew; and a user's function may look at any checkpoint.
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

  /** The output of a batch's file in a log, which a run that was overtaken does not write. */
  AtomicOutput watched(AtomicOutput output, LogPosition position) {
    Optional<ClaimWatch> watch = watchOf(position);
    return watch.isPresent() ? new WatchedOutput(output, watch.get(), position) : output;
  }

  /** Fails when a later run has gone further than a file of a log that is not there. */
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
   * Must be called where a file is missing that should be there: maybe a later run has deleted it.
   *
   * @param claimsAt the claims of a checkpoint at its location
   * @throws ClaimWatch.OvertakenException if so
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

  /** Null on executors and without Spark. */
  static SparkContext active() {
    scala.Option<SparkContext> active = SparkContext$.MODULE$.getActive();
    return active.isEmpty() ? null : active.get();
  }
}
