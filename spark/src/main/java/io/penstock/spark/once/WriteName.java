/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.once;

import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.once.CommitId;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.SparkKeys;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.recent.LruCache;
import io.penstock.core.stack.StoreStack;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.spark.plan.RunningWrite;
import io.penstock.spark.plan.StreamBatch;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name under which a write of Spark SQL commits once. Its user gives it by the option {@code
 * penstock.commit.id}, or by the setting, which names one write to each output. With {@code
 * penstock.spark.batches.once}, a write in {@code foreachBatch} has one by itself.
 *
 * <p>The name of a batch's write consists of the query, the batch, what was planned for the batch,
 * and the text of the write's query. A write that does not surely have the same name and the same
 * rows when its batch is run again has none: it would be a loss to leave out another one.
 */
public final class WriteName {
  private static final Logger LOG = LoggerFactory.getLogger(WriteName.class);

  /** The name of the option. */
  private static final String OPTION = CommitConfig.ID.fullName();

  private static final int USED = 10_000;
  private static final int CLAIMED = 1_000_000;

  /** The names of batches' writes that have ended with success. */
  private static final LruCache<String, Boolean> ENDED = new LruCache<>(USED);

  /**
   * The names of batches' writes, by their executions. Spark 4 may run a write that needs a shuffle
   * on another thread than the one that plans it, and only this one is known to be the query's.
   */
  private static final LruCache<String, WriteName> PLANNED = new LruCache<>(USED);

  /** The writes under a setting's name that run, or have ended with success. */
  private static final LruCache<String, WriteName> CLAIMS = new LruCache<>(CLAIMED);

  private static final LogOnce TOLD = new LogOnce(USED);

  private final CommitId id;
  private final String use;
  private final Kind kind;

  /** The sources of names. */
  private enum Kind {
    OPTION,
    /** Names one write of the application to each output. */
    SETTING,
    BATCH
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
   * @throws IOException when the option is one of a table, is blank or too long, or a setting names
   *     a write of a batch
   * @throws io.penstock.core.config.ConfigException when an option of the write is no setting: one
   *     that is misspelled must not be a write that happens twice
   */
  public static Optional<WriteName> of(RunningWrite write, Path path, String application)
      throws IOException {
    Map<String, String> options = write.options(ConfigKey.PREFIX);
    if (!options.isEmpty()) {
      Settings.of(options).refuseUnknown(StoreStack.keys(WriteName.class.getClassLoader()));
    }
    // Whatever the scheme, it is one output.
    String place = path.toUri().getAuthority() + path.toUri().getPath();
    Settings settings = HadoopSettings.of(write.configuration());
    if (write.isOptionOfTable(OPTION)) {
      throw new IOException(
          "%s: %s would be an option of the table, and so name each write to it. Leave it out here, and write with spark.conf.set(\"%s\", …), or to the table's path with the option"
              .formatted(path, OPTION, OPTION));
    }
    Optional<String> option = write.option(OPTION);
    if (option.isPresent()) {
      return Optional.of(new WriteName(ofUser(option.get(), path), "", Kind.OPTION));
    }
    String bucket = path.toUri().getAuthority();
    Optional<String> given = settings.forBucket(bucket).get(CommitConfig.ID);
    if (given.isPresent()) {
      if (write.isNearBatch()) {
        throw new IOException(
            "%s: %s in the settings would give all batches of this query one name. Nothing was written. Unset it, and name the write by an option, such as option(\"%s\", f\"orders-{batch}\")"
                .formatted(path, OPTION, OPTION));
      }
      String use = application + " " + place + " " + given.get();
      return Optional.of(new WriteName(ofUser(given.get(), path), use, Kind.SETTING));
    }
    if (!settings.get(SparkKeys.BATCHES_ONCE)) {
      return Optional.empty();
    }
    String execution = application + " " + write.executionId() + " " + place;
    Optional<WriteName> planned = PLANNED.get(execution);
    if (planned.isPresent()) {
      return planned;
    }
    Optional<WriteName> found = ofBatch(write, place);
    found.ifPresent(name -> PLANNED.put(execution, name));
    return found;
  }

  private static CommitId ofUser(String text, Path path) throws IOException {
    try {
      return CommitId.ofUser(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: %s: %s".formatted(path, OPTION, e.getMessage()), e);
    }
  }

  private static Optional<WriteName> ofBatch(RunningWrite write, String place) {
    try {
      Optional<StreamBatch> batch = write.batch();
      return batch.isEmpty() ? Optional.empty() : ofBatch(write, batch.get(), place);
    } catch (LinkageError | RuntimeException e) {
      if (TOLD.isNew(place)) {
        LOG.warn(
            "s3://{}: the batch of this streaming query is not known in this version of Spark. If"
                + " the driver dies before the batch is recorded, its rows are written twice",
            place,
            e);
      }
      return Optional.empty();
    }
  }

  private static Optional<WriteName> ofBatch(RunningWrite write, StreamBatch batch, String place) {
    Optional<String> text = write.text(batch);
    if (text.isEmpty()) {
      if (TOLD.isNew(batch.query() + " " + place)) {
        LOG.warn(
            "s3://{}: this write of foreachBatch is repeated if its batch is run again: its plan"
                + " reads something else than the batch, has a function of yours, or chooses rows"
                + " by chance or by the time. If it always writes the same rows, name it by the"
                + " option {}",
            place,
            OPTION);
      }
      return Optional.empty();
    }
    String name =
        "batch %d of query %s, write %s"
            .formatted(
                batch.number(),
                batch.query(),
                CommitId.digest(batch.planned() + "\n" + text.get()).substring(0, 16));
    String use = batch.run() + " " + place + " " + name;
    // A second write of the same rows to one place is meant, and nobody can tell it from the first.
    return ENDED.get(use).isPresent()
        ? Optional.empty()
        : Optional.of(
            new WriteName(CommitId.ofBatch(batch.query(), batch.number(), name), use, Kind.BATCH));
  }

  public CommitId id() {
    return id;
  }

  /**
   * Returns true if the write need not even be computed once its record is found. A batch is always
   * computed: the state of its query is made by that.
   */
  boolean mayBeLeftOut() {
    return kind == Kind.OPTION || (kind == Kind.SETTING && CLAIMS.get(use).isEmpty());
  }

  /**
   * Refuses a second write of this application to one output under the name that the settings give.
   * It might be another write, and its rows would be lost.
   */
  public void claim(Path path) throws IOException {
    if (kind == Kind.SETTING && !CLAIMS.computeIfAbsent(use, key -> this).equals(this)) {
      throw new IOException(
          "%s: this application has already written to this path, or is just writing, under the id '%s', and %s in the settings names one write for each path. Nothing was written now. If this is another write, give it an id of its own, by the option %s, or by another value of the setting"
              .formatted(path, id, OPTION, OPTION));
    }
  }

  /** Notes that the write has ended with success, or was left out. */
  public void ended() {
    if (kind == Kind.BATCH) {
      ENDED.put(use, true);
    } else if (kind == Kind.SETTING) {
      CLAIMS.put(use, this);
    }
  }

  /** Notes that the write has failed. It may be tried again. */
  public void failed() {
    if (kind == Kind.SETTING && CLAIMS.get(use).filter(this::equals).isPresent()) {
      CLAIMS.remove(use);
    }
  }

  /** Returns the name of the option and of the setting. */
  public static String option() {
    return OPTION;
  }
}
