/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists a directory that is to be deleted or renamed, at a moment at which no job commits to it. A
 * job whose files are half visible is waited for; otherwise half of them would be deleted, and the
 * job would report success.
 */
public final class DirectoryGuard {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryGuard.class);

  /** Up to this number of {@code _SUCCESS}, each is deleted by a request of its own. */
  private static final int MARKERS_MAX = 100;

  private final Means means;
  private final Function<Instant, CommittingJob> self;

  /**
   * @param self names the process, for jobs that wait for it; each call returns another id
   */
  public DirectoryGuard(Means means, Function<Instant, CommittingJob> self) {
    this.means = means;
    this.self = self;
  }

  /** Passes on all objects of a directory, in any order. */
  @FunctionalInterface
  public interface Lister {
    void forEach(Consumer<ObjectMeta> action) throws IOException;
  }

  /** The result of one listing: the objects, and for each directory a digest of its versions. */
  private static final class Shown {
    private final List<ObjectMeta> objects = new ArrayList<>();
    private final Map<String, Long> digests = new HashMap<>();

    /**
     * @param keeps what to keep of each object
     */
    static Shown by(Lister lister, UnaryOperator<ObjectMeta> keeps) throws IOException {
      Shown shown = new Shown();
      lister.forEach(
          object -> {
            shown.objects.add(keeps.apply(object));
            shown.digests.merge(directory(object.key()), digest(object), Long::sum);
          });
      return shown;
    }

    /** Returns true if the store has listed the objects as they were at one moment. */
    boolean isOneMoment() {
      return objects.size() < ListRequest.MAX_KEYS;
    }

    /** Returns the directories of which another listing shows other versions or other objects. */
    List<String> changes(Lister lister) throws IOException {
      Map<String, Long> differences = new HashMap<>(digests);
      lister.forEach(
          object -> differences.merge(directory(object.key()), -digest(object), Long::sum));
      return differences.entrySet().stream()
          .filter(one -> one.getValue() != 0)
          .map(Map.Entry::getKey)
          .toList();
    }

    /**
     * Returns the objects, without the intents of living jobs at these tables: of this process, and
     * of jobs that wait for it.
     */
    List<ObjectMeta> objectsBeside(Set<OutputTable> held) {
      if (held.isEmpty()) {
        return objects;
      }
      Map<String, IntentNames> names = new HashMap<>();
      held.forEach(table -> names.put(table.prefix(), new IntentNames(table)));
      Set<String> living = new HashSet<>();
      objects.stream()
          .map(ObjectMeta::key)
          .filter(IntentNames::isHead)
          .forEach(key -> id(names, key).ifPresent(living::add));
      return objects.stream()
          .filter(
              object ->
                  id(names, object.key())
                      .filter(id -> living.contains(id) || IntentNames.isPage(object.key()))
                      .isEmpty())
          .toList();
    }

    private static Optional<String> id(Map<String, IntentNames> names, String key) {
      IntentNames there = names.get(directory(key));
      return there == null ? Optional.empty() : there.id(key);
    }

    /** Spreads the bits of the hash, since digests are added up. Intents come and go. */
    private static long digest(ObjectMeta object) {
      if (IntentNames.isOne(object.key())) {
        return 0;
      }
      long mixed = (object.hashCode() + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
      return (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL;
    }
  }

  private static String directory(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  /**
   * Keeps of an object what {@link #deleteAll} needs, since a directory may have millions: its key.
   */
  public static ObjectMeta toDelete(ObjectMeta object) {
    return SuccessMarker.isOne(object.key())
        ? object
        : new ObjectMeta(object.key(), 0, "", Instant.EPOCH);
  }

  /**
   * Lists the directory. If jobs commit to it, waits for them, ends the commits of dead ones, and
   * lists again while an intent of this process is at their tables, so that no job commits there. A
   * commit that begins later does not matter: none of its files is in the list.
   *
   * <p>The objects are listed twice if there are so many that the store does not list them at one
   * moment, or if the intents are in another directory: a whole commit may have been in between.
   * Where the two differ, the next listing is made in the same way.
   *
   * @param prefix empty for the whole bucket, otherwise ending with a slash
   * @param keeps what to keep of each object, such as {@link #toDelete}
   * @return all objects, hidden ones of ended commits included
   * @throws IOException if a job still commits after {@link CommitConfig#waitMax}; it names the job
   */
  public List<ObjectMeta> list(
      String bucket, String prefix, Lister lister, UnaryOperator<ObjectMeta> keeps)
      throws IOException {
    long startNanos = means.time().nowNanos();
    OutputTable table = OutputTable.of(bucket, prefix);
    boolean isPartition = !table.prefix().equals(prefix);
    Set<OutputTable> busy = new HashSet<>();
    Set<OutputTable> changed = new HashSet<>();
    while (true) {
      try (Holds holds = new Holds()) {
        holds.add(busy, changed);
        Shown shown = Shown.by(lister, keeps);
        Set<OutputTable> more = withIntents(bucket, shown.objects);
        boolean isHeld = busy.contains(table) || changed.contains(table);
        if (isPartition && !isHeld && hasCommits(table)) {
          more.add(table);
        }
        more.removeAll(busy);
        boolean isOneMoment = shown.isOneMoment() && (isHeld || !isPartition);
        Set<OutputTable> moved = new HashSet<>();
        if (more.isEmpty() && !isOneMoment) {
          shown.changes(lister).forEach(one -> moved.add(OutputTable.of(bucket, one)));
          moved.removeAll(busy);
          moved.removeAll(changed); // What changes there now are no commits.
        }
        if (more.isEmpty() && moved.isEmpty() && holds.areInPlace()) {
          return shown.objectsBeside(holds.tables());
        }
        busy.addAll(more);
        changed.addAll(moved);
        changed.removeAll(busy);
      }
      requireTime(startNanos, bucket, prefix);
    }
  }

  /** The tables at which no job commits meanwhile. */
  private final class Holds implements Closeable {
    private final List<DirectoryChange.Hold> holds = new ArrayList<>();

    /**
     * Holds tables. All processes do so in one order, so that none waits for one that waits for it.
     *
     * @param changed where only a process that may write needs to hold anything: without the right
     *     to do so, those directories are taken as they are
     */
    void add(Set<OutputTable> busy, Set<OutputTable> changed) throws IOException {
      Stream<OutputTable> all = Stream.concat(busy.stream(), changed.stream());
      try {
        for (OutputTable one : all.sorted(Comparator.comparing(OutputTable::prefix)).toList()) {
          add(one, changed.contains(one));
        }
      } catch (IOException | RuntimeException | Error e) {
        try {
          close();
        } catch (IOException second) {
          e.addSuppressed(second);
        }
        throw e;
      }
    }

    private void add(OutputTable table, boolean mayFail) throws IOException {
      try {
        holds.add(new DirectoryChange(means, table, self).hold());
      } catch (StoreException e) {
        if (!mayFail || e.kind() != Kind.ACCESS_DENIED) {
          throw e;
        }
        LOG.warn(
            "{}: other jobs may change this directory while it is being listed, because this"
                + " process may not write the object that would lock the directory: {}",
            table,
            e.getMessage());
      }
    }

    boolean areInPlace() {
      return holds.stream().allMatch(DirectoryChange.Hold::isInPlace);
    }

    Set<OutputTable> tables() {
      return holds.stream().map(DirectoryChange.Hold::table).collect(Collectors.toSet());
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (DirectoryChange.Hold hold : holds) {
        try {
          hold.close();
        } catch (IOException | RuntimeException e) {
          IOException one = e instanceof IOException io ? io : new IOException(e);
          if (failure == null) {
            failure = one;
          } else {
            failure.addSuppressed(one);
          }
        }
      }
      holds.clear();
      if (failure != null) {
        throw failure;
      }
    }
  }

  /**
   * Waits until no job commits to a directory that is to get the files of another one, or to the
   * table whose partition it is. It may be the first commit of a table, which does not exist yet.
   */
  public void await(String bucket, String prefix) throws IOException {
    OutputTable table = OutputTable.of(bucket, prefix);
    if (hasCommits(table)) {
      new DirectoryChange(means, table, self).settle();
    }
  }

  private boolean hasCommits(OutputTable table) throws IOException {
    Listing listing = new IntentFiles(means.stores(), table, means.pool()).list();
    return !listing.intents().isEmpty()
        || listing.strays().keySet().stream().anyMatch(IntentNames::isSettling);
  }

  private static Set<OutputTable> withIntents(String bucket, List<ObjectMeta> objects) {
    Set<OutputTable> tables = new LinkedHashSet<>();
    for (ObjectMeta object : objects) {
      // Of a job that has ended, a file may still arrive: after a delete it would be alone there.
      if (IntentNames.isHead(object.key()) || IntentNames.isSettlingOne(object.key())) {
        tables.add(new OutputTable(bucket, directory(object.key())));
      }
    }
    return tables;
  }

  private void requireTime(long startNanos, String bucket, String prefix) throws IOException {
    Duration waited = Duration.ofNanos(means.time().nowNanos() - startNanos);
    if (waited.compareTo(means.config().waitMax()) >= 0) {
      throw new IOException(
          "s3://%s/%s: gave up after %d s (penstock.commit.wait.max), because other jobs kept committing to it. Nothing was changed"
              .formatted(bucket, prefix, waited.toSeconds()));
    }
  }

  /**
   * Deletes the objects of a directory that {@link #list} has returned. Each {@code _SUCCESS} goes
   * first, so that none stands beside a part of the data, and, if they are few, only if no job has
   * written another one since.
   *
   * @param more keys to delete besides
   */
  public static void deleteAll(
      ObjectStore store, List<ObjectMeta> objects, Lanes pool, String... more) throws IOException {
    List<ObjectMeta> markers =
        objects.stream().filter(object -> SuccessMarker.isOne(object.key())).toList();
    if (markers.size() <= MARKERS_MAX) {
      Parallel.forEachIn(
          marker -> pool.writes(store.bucket(), marker.key()),
          markers,
          marker -> deleteIfSame(store, marker));
    } else {
      Keys.deleteAll(store, markers.stream().map(ObjectMeta::key).toList(), pool);
    }
    Iterable<String> rest =
        () ->
            Stream.concat(
                    objects.stream().map(ObjectMeta::key).filter(key -> !SuccessMarker.isOne(key)),
                    Stream.of(more))
                .iterator();
    Keys.deleteAll(store, rest, pool);
  }

  private static void deleteIfSame(ObjectStore store, ObjectMeta object) throws IOException {
    try {
      store.delete(object.key(), Condition.ifMatch(object.etag()));
    } catch (StoreException e) {
      if (e.kind() != Kind.PRECONDITION_FAILED) {
        throw e;
      }
    }
  }

  /** Returns true if the object belongs to a commit, and to no table that it is copied to. */
  public static boolean isIntent(String key) {
    return IntentNames.isOne(key);
  }
}
