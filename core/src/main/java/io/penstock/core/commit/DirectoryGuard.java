/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.IntentFiles.Listing;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Keys;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Lists a directory that is to be deleted or renamed, at a moment at which no job commits to it. A
 * job whose files are half visible is waited for; otherwise half of them would be deleted, and the
 * job would report success.
 */
public final class DirectoryGuard {
  /**
   * The number of listings after which the directory is taken as it is, if no commit is in sight:
   * what changes there all the time are not commits.
   */
  private static final int ROUNDS_MAX = 3;

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

  /** The result of one listing: the objects, and a digest of all their versions. */
  private static final class Shown {
    private final List<ObjectMeta> objects = new ArrayList<>();
    private long digest;

    /**
     * @param keeps what to keep of each object
     */
    static Shown by(Lister lister, UnaryOperator<ObjectMeta> keeps) throws IOException {
      Shown shown = new Shown();
      lister.forEach(
          object -> {
            shown.objects.add(keeps.apply(object));
            shown.digest += digest(object);
          });
      return shown;
    }

    /** Returns true if the store has listed the objects as they were at one moment. */
    boolean isOneMoment() {
      return objects.size() < ListRequest.MAX_KEYS;
    }

    /** Returns true if another listing shows the same versions of the same objects. */
    boolean isSame(Lister lister) throws IOException {
      long[] other = new long[1];
      lister.forEach(object -> other[0] += digest(object));
      return other[0] == digest;
    }

    /** Spreads the bits of the hash, since digests are added up. */
    private static long digest(ObjectMeta object) {
      long mixed = (object.hashCode() + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
      return (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL;
    }
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
   * Lists the directory, waits for the commits that have intents in it or at the table whose
   * partition it is, ends those of dead jobs, and lists again. A commit that begins later does not
   * matter: none of its files is in the list.
   *
   * <p>The objects are listed twice if there are so many that the store does not list them at one
   * moment, or if the intents are in another directory: a whole commit may have been in between.
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
    Table table = Table.of(bucket, prefix);
    boolean isPartition = !table.prefix().equals(prefix);
    Shown shown = Shown.by(lister, keeps);
    Set<Table> busy = withIntents(bucket, shown.objects);
    if (isPartition && hasCommits(table)) {
      busy.add(table);
    }
    boolean isOneMoment = !isPartition && shown.isOneMoment();
    if (busy.isEmpty() && (isOneMoment || shown.isSame(lister))) {
      return shown.objects;
    }
    if (busy.isEmpty()) {
      busy.add(table); // Commits come and go between the listings.
    }
    for (int round = 1; ; round++) {
      try (Holds holds = new Holds()) {
        holds.add(busy);
        Lister others = holds.without(lister);
        shown = Shown.by(others, keeps);
        Set<Table> more = withIntents(bucket, shown.objects);
        if (isPartition && !busy.contains(table) && hasCommits(table)) {
          more.add(table);
        }
        boolean isStill = shown.isOneMoment() || round >= ROUNDS_MAX || shown.isSame(others);
        if (more.isEmpty() && isStill && holds.areInPlace()) {
          return shown.objects;
        }
        busy.addAll(more);
      }
      requireTime(startNanos, bucket, prefix);
    }
  }

  /** The tables at which no job commits meanwhile. */
  private final class Holds implements Closeable {
    private final List<DirectoryChange.Hold> holds = new ArrayList<>();

    /** All processes hold tables in one order, so that none waits for one that waits for it. */
    void add(Set<Table> tables) throws IOException {
      try {
        for (Table one : tables.stream().sorted(Comparator.comparing(Table::prefix)).toList()) {
          holds.add(new DirectoryChange(means, one, self).hold());
        }
      } catch (IOException | RuntimeException | Error e) {
        closeAfter(e);
        throw e;
      }
    }

    boolean areInPlace() {
      return holds.stream().allMatch(DirectoryChange.Hold::isInPlace);
    }

    /**
     * Returns a lister that leaves out the intents at these tables: they are of this process, and
     * of jobs that wait for it.
     */
    Lister without(Lister lister) {
      return action ->
          lister.forEach(
              object -> {
                if (!IntentNames.isOne(object.key()) || !isHeld(object.key())) {
                  action.accept(object);
                }
              });
    }

    private boolean isHeld(String key) {
      String directory = key.substring(0, key.lastIndexOf('/') + 1);
      return holds.stream().anyMatch(hold -> hold.table().prefix().equals(directory));
    }

    private void closeAfter(Throwable failure) {
      try {
        close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (DirectoryChange.Hold hold : holds) {
        try {
          hold.close();
        } catch (IOException e) {
          failure = e;
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
    Table table = Table.of(bucket, prefix);
    if (hasCommits(table)) {
      new DirectoryChange(means, table, self).settle();
    }
  }

  private boolean hasCommits(Table table) throws IOException {
    Listing listing = new IntentFiles(means.stores(), table, means.pool()).list();
    return !listing.intents().isEmpty()
        || listing.strays().keySet().stream().anyMatch(IntentNames::isSettling);
  }

  private static Set<Table> withIntents(String bucket, List<ObjectMeta> objects) {
    Set<Table> tables = new LinkedHashSet<>();
    for (ObjectMeta object : objects) {
      // Of a job that has ended, a file may still arrive: after a delete it would be alone there.
      if (IntentNames.isHead(object.key()) || IntentNames.isSettlingOne(object.key())) {
        String key = object.key();
        tables.add(new Table(bucket, key.substring(0, key.lastIndexOf('/') + 1)));
      }
    }
    return tables;
  }

  private void requireTime(long startNanos, String bucket, String prefix) throws IOException {
    Duration waited = Duration.ofNanos(means.time().nowNanos() - startNanos);
    if (waited.compareTo(means.config().waitMax()) >= 0) {
      throw new IOException(
          "s3://%s/%s: gave up after %d s (penstock.commit.wait.max), because jobs commit to it all the time. Nothing has changed"
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
