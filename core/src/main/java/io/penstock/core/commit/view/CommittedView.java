/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.pool.Lanes;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.recent.LruCache;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists directories so that each commit at a table is seen as a whole or not at all, also while it
 * runs, after its driver has died, and while it is undone. A commit that had ended before the
 * listing began is seen.
 *
 * <p>The intents at the table's root tell which commits are under way. They are looked at before
 * and after the listing. The files of a commit that was not decided before are left out, and so are
 * the objects that a decided commit replaces. If a commit was decided or ended in between, the
 * listing is repeated. The first page of a listing of the root serves as the look before, so a
 * listing takes one request more, and two more while a commit is under way. A directory of one page
 * to which no job has ever committed takes none.
 *
 * <p>Safe for many threads.
 */
public final class CommittedView {
  private static final Logger LOG = LoggerFactory.getLogger(CommittedView.class);

  private static final int TABLES = 1000;

  private static final Pattern HIDDEN =
      Pattern.compile("(^|/)(_delta_log|_spark_metadata|_temporary|[.]hoodie)/");

  /** The time for which listings of a table that is changed all the time are not repeated often. */
  private static final Duration BUSY = Duration.ofMinutes(10);

  /** A right that was missing may have been granted since. */
  private static final Duration UNREADABLE = Duration.ofMinutes(10);

  /** A look that is older is made anew, because commits have probably ended since. */
  private static final Duration RECENT = Duration.ofSeconds(5);

  private final ObjectStore store;
  private final Lanes pool;
  private final Time time;
  private final LruCache<OutputTable, Known> tables = new LruCache<>(TABLES);
  private final LruCache<OutputTable, Long> busyNanos = new LruCache<>(TABLES);
  private final IntentReads reads = new IntentReads();
  private final LogOnce warned = new LogOnce(TABLES);

  /** The facts that this process knows of a table. */
  private record Known(boolean isUnreadable, boolean looksFirst, Optional<Look> look, long nanos) {
    static final Known NOTHING = new Known(false, false, Optional.empty(), 0);
  }

  public CommittedView(ObjectStore store, Lanes pool, Time time) {
    this.store = store;
    this.pool = pool;
    this.time = time;
  }

  /** Lists the objects of a directory. May be called again. */
  @FunctionalInterface
  public interface Lister {
    /** Returns empty if there are too many objects to keep them all. */
    Optional<Listed> list() throws IOException;
  }

  /**
   * The objects of a directory.
   *
   * @param objects all of them, those of intents maybe without
   * @param firstPage those that the first request has listed, with those of intents; the store made
   *     this page before it was asked for any other
   * @param isOnePage whether there are no more pages
   * @param isOnlyDirectories whether only one level was listed, and it has directories but no files
   *     of data
   */
  public record Listed(
      List<ObjectMeta> objects,
      List<ObjectMeta> firstPage,
      boolean isOnePage,
      boolean isOnlyDirectories) {}

  /**
   * Lists a directory. Returns the objects that the lister returns, without those of commits that
   * are under way; objects of intents may be among them. If this process may not read the intents,
   * all objects are returned. Returns empty if the lister does.
   *
   * @param prefix of the directory: empty, or ending with a slash
   */
  public Optional<List<ObjectMeta>> list(String prefix, Lister lister) throws IOException {
    OutputTable table = OutputTable.of(store.bucket(), prefix);
    if (isHidden(prefix) || isUnreadable(table)) {
      return lister.list().map(Listed::objects);
    }
    try {
      return new WholeListing(this, table, prefix, lister).read();
    } catch (UnreadableException e) {
      update(table, new Known(true, false, Optional.empty(), time.nowNanos()));
      if (warned.isNew(table.toString())) {
        LOG.warn(
            "{}: this process may not list the intents of commits (the objects whose names begin"
                + " with _penstock), so its listings may show a part of a commit; see"
                + " docs/permissions.md: {}",
            table,
            e.getMessage());
      }
      return lister.list().map(Listed::objects);
    }
  }

  private boolean isUnreadable(OutputTable table) {
    Known known = known(table);
    return known.isUnreadable() && time.nowNanos() - known.nanos() < UNREADABLE.toNanos();
  }

  /**
   * Returns true for what lies in directories that no job commits to, and that are listed often.
   */
  private static boolean isHidden(String prefix) {
    return HIDDEN.matcher(prefix).find();
  }

  /** Tells that this process may not read the intents. */
  static final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  ObjectStore store() {
    return store;
  }

  Lanes pool() {
    return pool;
  }

  Time time() {
    return time;
  }

  /** Returns true if keys of the table are listed before those of the intents. */
  boolean looksFirst(OutputTable table) {
    return known(table).looksFirst();
  }

  void setLooksFirst(OutputTable table) {
    Known known = known(table);
    update(table, new Known(false, true, known.look(), known.nanos()));
  }

  /** Returns true if the last look has shown that jobs commit to the table. */
  boolean isUsed(OutputTable table) {
    return known(table).look().filter(look -> !look.isBare()).isPresent();
  }

  /** Returns the last look if it is still good as one before a listing. */
  Optional<Look> recent(OutputTable table) {
    Known known = known(table);
    boolean isRecent = time.nowNanos() - known.nanos() < RECENT.toNanos();
    return known.look().filter(look -> isRecent && look.isCalm());
  }

  /**
   * @param nanos time at which the look was begun
   */
  void setRecent(OutputTable table, Look look, long nanos) {
    Known known = known(table);
    update(table, new Known(false, known.looksFirst(), Optional.of(look), nanos));
  }

  IntentReads reads() {
    return reads;
  }

  /** Returns true if commits ended during each repetition of a listing some minutes ago. */
  boolean isBusy(OutputTable table) {
    Optional<Long> since = busyNanos.get(table);
    return since.isPresent() && time.nowNanos() - since.get() < BUSY.toNanos();
  }

  void setBusy(OutputTable table) {
    if (!isBusy(table)) {
      var unusedBefore = busyNanos.put(table, time.nowNanos());
      LOG.warn(
          "{}: commits end so often that each repetition of the listing has met one. For the next"
              + " {} minutes, listings are repeated once only and may show a part of a commit",
          table,
          BUSY.toMinutes());
    }
  }

  private Known known(OutputTable table) {
    return tables.get(table).orElse(Known.NOTHING);
  }

  private void update(OutputTable table, Known known) {
    var unusedBefore = tables.put(table, known);
  }
}
