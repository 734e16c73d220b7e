/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.once;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.SmallObjects;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Body;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The records of the commits with a name ({@link CommitId}) that have happened at a table. Each is
 * an object {@code _penstock_done_SERIES_BATCH_ID} at the table's root, which is written once the
 * commit is decided and before its intent goes. So whoever finds neither the intent of a commit
 * nor, afterwards, its record knows that it has not happened.
 */
public final class DoneCommits {
  /** The beginning of the names of records. */
  public static final String NAME = "_penstock_done_";

  private static final int DIGITS = 32;

  /** The number of the names given by users that are remembered, and of a query's batches. */
  private static final int USERS_KEPT = 500;

  private static final int BATCHES_KEPT = 10;
  private static final Duration ABANDONED = Duration.ofDays(30);

  /** A record names so many files, each in another directory. */
  private static final int NAMED_MAX = 50;

  private final Stores stores;
  private final SmallObjects objects;
  private final OutputTable table;

  public DoneCommits(Stores stores, OutputTable table, Lanes pool) {
    this.stores = stores;
    this.objects = new SmallObjects(stores, table, pool);
    this.table = table;
  }

  /**
   * Returns the key of the record.
   *
   * @param place of the output in the table, relative to its root: one name may be given to writes
   *     of two partitions by their paths
   */
  public String key(CommitId id, String place) {
    String digest = place.isEmpty() ? id.digest() : CommitId.digest(place + "\n" + id.digest());
    return series(id) + batch(id.batch().orElse(0)) + "_" + digest.substring(0, DIGITS);
  }

  private String series(CommitId id) {
    return table.prefix() + NAME + id.seriesDigest() + "_";
  }

  /**
   * Returns what the record of a commit says, for a log, if the commit has happened. Lists the
   * record: a job may list its table, and perhaps not read it.
   *
   * <p>The record of a batch counts only while all files are there that it names: a function that
   * deletes what a batch has written before, and writes it again, must not be kept from it.
   */
  public Optional<String> find(CommitId id, String place) throws IOException {
    String key = key(id, place);
    if (objects.list(ListRequest.flat(key).limit(1)).objects().isEmpty()) {
      return Optional.empty();
    }
    String[] lines = text(key).split("\n", -1);
    if (id.batch().isPresent() && !areThere(lines)) {
      return Optional.empty();
    }
    return Optional.of(lines[0].replaceAll("\\p{Cntrl}", " "));
  }

  private boolean areThere(String[] lines) throws IOException {
    for (int i = 2; i < lines.length; i++) {
      int slash = lines[i].indexOf('/');
      try {
        if (slash < 0) {
          return false;
        }
        stores.of(lines[i].substring(0, slash)).head(lines[i].substring(slash + 1));
      } catch (StoreException e) {
        if (e.kind() == Kind.NO_SUCH_KEY || e.kind() == Kind.ACCESS_DENIED) {
          return false;
        }
        throw e;
      }
    }
    return lines.length > 1;
  }

  /**
   * Returns the record of a commit.
   *
   * @param line says which commit it was
   * @param files that the commit has made visible
   */
  public static Body record(CommitId id, Body line, List<TaskFile> files) throws IOException {
    if (id.batch().isEmpty()) {
      return line;
    }
    StringBuilder text;
    try (InputStream in = line.open()) {
      text = new StringBuilder(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
    }
    text.append("\n-"); // Even a commit without files has a second line.
    Set<String> directories = new HashSet<>();
    for (TaskFile file : files) {
      String key = file.key();
      boolean isNew = directories.add(key.substring(0, key.lastIndexOf('/') + 1));
      if (isNew && directories.size() <= NAMED_MAX && key.indexOf('\n') < 0) {
        text.append('\n').append(file.bucket()).append('/').append(key);
      }
    }
    return Body.ofBytes(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private String text(String key) throws IOException {
    try {
      byte[] text = objects.get(key).orElse(new byte[0]);
      return new String(text, StandardCharsets.UTF_8).strip();
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      return "this process may not read " + key;
    }
  }

  /** Returns a number so that the names sort by it. */
  private static String batch(long number) {
    return "%016x".formatted(number);
  }

  /**
   * Deletes the records of the oldest commits of the name's series, once there are some more than
   * are kept: so most commits delete none. Deletes those of queries that have written nothing for
   * long, too: each new checkpoint is a series of its own.
   *
   * @param listed the objects at the table's root, the job's new intent among them
   */
  public void forgetOld(CommitId id, List<ObjectMeta> listed) throws IOException {
    List<String> old = new ArrayList<>(ofSeries(id, listed));
    List<String> abandoned = abandoned(id, listed);
    if (abandoned.size() >= BATCHES_KEPT) {
      old.addAll(abandoned);
    }
    objects.delete(old);
  }

  private List<String> ofSeries(CommitId id, List<ObjectMeta> listed) {
    List<ObjectMeta> found =
        listed.stream().filter(object -> object.key().startsWith(series(id))).toList();
    if (id.batch().isEmpty()) {
      return found.size() * 10 > USERS_KEPT * 11 ? oldest(found) : List.of();
    }
    // A query may write any number of times in one batch.
    long batch = id.batch().getAsLong();
    return before(id, batch - 2 * BATCHES_KEPT, found).isEmpty()
        ? List.of()
        : before(id, batch - BATCHES_KEPT, found);
  }

  private List<String> before(CommitId id, long batch, List<ObjectMeta> found) {
    String limit = series(id) + batch(Math.max(0, batch));
    return found.stream().map(ObjectMeta::key).filter(key -> key.compareTo(limit) < 0).toList();
  }

  private static List<String> oldest(List<ObjectMeta> found) {
    return found.stream()
        .sorted(Comparator.comparing(ObjectMeta::lastModified).thenComparing(ObjectMeta::key))
        .limit(found.size() - USERS_KEPT)
        .map(ObjectMeta::key)
        .toList();
  }

  private List<String> abandoned(CommitId id, List<ObjectMeta> listed) {
    Instant now =
        listed.stream().map(ObjectMeta::lastModified).max(Instant::compareTo).orElse(Instant.EPOCH);
    String users = series(CommitId.ofUser("any"));
    return listed.stream()
        .filter(object -> object.key().startsWith(table.prefix() + NAME))
        .filter(object -> !object.key().startsWith(users))
        .filter(object -> !object.key().startsWith(series(id)))
        .filter(object -> object.lastModified().isBefore(now.minus(ABANDONED)))
        .map(ObjectMeta::key)
        .toList();
  }
}
