/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.once;

import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.SparkKeys;
import io.penstock.core.recent.LruCache;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.spark.plan.RunningWrite;
import io.penstock.spark.plan.StreamBatch;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name under which a write of Spark SQL commits once. Its user gives it by the option {@code
 * penstock.commit.id}, or by the setting, which names one write to each output; a write in {@code
 * foreachBatch} has one by itself.
 *
 * <p>The name of a batch's write consists of the query, the batch, what was planned for the batch,
 * and the text of the write's query. Equal writes of one batch are numbered, in the order in which
 * they end. A write that fails has no number: the function may try it again.
 */
public final class WriteName {
  private static final Logger LOG = LoggerFactory.getLogger(WriteName.class);

  /** The name of the option. */
  private static final String OPTION = CommitConfig.ID.fullName();

  private static final int USED = 10_000;

  /** How often the names that this process has used last have ended with success. */
  private static final LruCache<String, Integer> ENDED = new LruCache<>(USED);

  /**
   * The names of batches' writes, by their executions. Spark 4 may run a write that needs a shuffle
   * on another thread than the one that plans it, and only this one is known to be the query's.
   */
  private static final LruCache<String, WriteName> PLANNED = new LruCache<>(USED);

  /** The first batch of each run of a query. */
  private static final LruCache<String, Long> FIRST = new LruCache<>(USED);

  private final CommitId id;
  private final String use;
  private final Kind kind;

  /** Where a name comes from. */
  private enum Kind {
    OPTION,
    /** Names one write of the application to each output. */
    SETTING,
    /** The first batch of a run of a query: Spark may have run it before. */
    FIRST_BATCH,
    /** A batch that this run has planned itself. */
    LATER_BATCH
  }

  private WriteName(CommitId id, String use, Kind kind) {
    this.id = id;
    this.use = use;
    this.kind = kind;
  }

  /**
   * Returns the name of the write that this thread is about to plan or to do, if it has one.
   *
   * @param application the Spark application's id
   * @throws IOException when the option is one of a table, or is blank or too long
   */
  public static Optional<WriteName> of(RunningWrite write, String path, String application)
      throws IOException {
    Settings settings = HadoopSettings.of(write.configuration());
    String bucket = new Path(path).toUri().getAuthority();
    Optional<String> given = settings.forBucket(bucket).get(CommitConfig.ID);
    Optional<String> option = write.option(OPTION);
    if (option.isPresent() && write.isOptionOfTable(OPTION)) {
      throw new IOException(
          "%s: %s would be an option of the table, and so name each write to it. Create the table without this option, then write with spark.conf.set(\"%s\", …), or to the table's path with the option"
              .formatted(path, OPTION, OPTION));
    }
    if (option.isPresent() || given.isPresent()) {
      String text = option.or(() -> given).orElseThrow();
      return Optional.of(
          new WriteName(
              ofUser(text, path),
              application + " " + path + " " + text,
              option.isPresent() ? Kind.OPTION : Kind.SETTING));
    }
    if (!settings.get(SparkKeys.BATCHES_ONCE)) {
      return Optional.empty();
    }
    String execution = application + " " + write.executionId() + " " + path;
    Optional<WriteName> planned = PLANNED.get(execution);
    if (planned.isPresent()) {
      return planned;
    }
    Optional<WriteName> found = ofBatch(write, path);
    found.ifPresent(name -> PLANNED.put(execution, name));
    return found;
  }

  private static CommitId ofUser(String text, String path) throws IOException {
    try {
      return CommitId.ofUser(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: %s: %s".formatted(path, OPTION, e.getMessage()), e);
    }
  }

  private static Optional<WriteName> ofBatch(RunningWrite write, String path) {
    Optional<StreamBatch> batch;
    try {
      batch = write.batch();
    } catch (LinkageError | RuntimeException e) {
      LOG.warn(
          "{}: the batch of this streaming query is not known in this version of Spark. If the"
              + " driver dies before the batch is recorded, its rows are written twice",
          path,
          e);
      return Optional.empty();
    }
    return batch.map(
        one -> {
          String text =
              "batch %d of query %s, write %s"
                  .formatted(
                      one.number(),
                      one.query(),
                      CommitId.digest(one.planned() + "\n" + write.text()).substring(0, 16));
          String use = one.run() + " " + path + " " + text;
          int before = ENDED.get(use).orElse(0);
          return new WriteName(
              CommitId.ofBatch(
                  one.query(), one.number(), before == 0 ? text : text + "-" + (before + 1)),
              use,
              FIRST.computeIfAbsent(one.run(), run -> one.number()) == one.number()
                  ? Kind.FIRST_BATCH
                  : Kind.LATER_BATCH);
        });
  }

  public CommitId id() {
    return id;
  }

  /** Returns false if it is not worth a request to look for the record before the commit. */
  boolean mayHaveHappened() {
    return kind != Kind.LATER_BATCH && !isUsedUp();
  }

  /** Returns true if this application must not write under this name again. */
  private boolean isUsedUp() {
    return kind == Kind.SETTING && ENDED.get(use).isPresent();
  }

  /**
   * Refuses a second write of this application to one output under the name that the settings give.
   * It might be another write, and its rows would be lost.
   */
  public void requireUnused(String path) throws IOException {
    if (isUsedUp()) {
      throw new IOException(
          "%s: this application has already committed a write to this path under the id '%s', and %s in the settings names one write for each path. Nothing was written now. If this is another write, give it an id of its own, by the option %s, or by another value of the setting"
              .formatted(path, id, OPTION, OPTION));
    }
  }

  /** Notes that a write with this name has ended with success, or was left out. */
  public void ended() {
    ENDED.put(use, ENDED.get(use).orElse(0) + 1);
  }

  /** Returns the name of the option and of the setting. */
  public static String option() {
    return OPTION;
  }
}
