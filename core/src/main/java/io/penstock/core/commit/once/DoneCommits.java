/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.once;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.SmallObjects;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The records of the commits with a name ({@link CommitId}) that have happened at a table. Each is
 * an object {@code _penstock_done_SERIES_BATCH_ID} at the table's root, which is written once the
 * commit is decided and before its intent goes. So whoever finds neither the intent of a commit
 * nor, afterwards, its record knows that it has not happened.
 */
public final class DoneCommits {
  private static final String NAME = "_penstock_done_";

  private static final int DIGITS = 32;

  /** The number of the names given by users that are remembered, and of a query's batches. */
  private static final int USERS_KEPT = 500;

  private static final int BATCHES_KEPT = 10;

  private final SmallObjects objects;
  private final OutputTable table;

  public DoneCommits(SmallObjects objects) {
    this.objects = objects;
    this.table = objects.table();
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
   * Returns what the record of a commit says, if the commit has happened. Lists the record: a job
   * may list its table, and perhaps not read it.
   */
  public Optional<String> find(CommitId id, String place) throws IOException {
    String key = key(id, place);
    boolean isThere = objects.list(ListRequest.flat(key).limit(1)).objects().size() == 1;
    return isThere ? Optional.of(text(key)) : Optional.empty();
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

  /** Returns the records of the series among the objects of a listing. */
  public List<ObjectMeta> ofSeries(CommitId id, List<ObjectMeta> listed) {
    String prefix = series(id);
    return listed.stream().filter(object -> object.key().startsWith(prefix)).toList();
  }

  /** Returns a number so that the names sort by it. */
  private static String batch(long number) {
    return "%016x".formatted(number);
  }

  /**
   * Deletes the records of the oldest commits of the series, once there are some more than are
   * kept: so most commits delete none. A query may write any number of times in one batch.
   *
   * @param found the records of the series that a listing has shown
   */
  public void forgetOld(CommitId id, List<ObjectMeta> found) throws IOException {
    List<String> old =
        id.batch().isPresent()
            ? before(id, id.batch().getAsLong() - BATCHES_KEPT, found)
            : oldest(found);
    boolean isWorthIt =
        id.batch().isPresent()
            ? !before(id, id.batch().getAsLong() - 2 * BATCHES_KEPT, found).isEmpty()
            : found.size() * 10 > USERS_KEPT * 11;
    if (isWorthIt) {
      objects.delete(old);
    }
  }

  private List<String> before(CommitId id, long batch, List<ObjectMeta> found) {
    String limit = series(id) + batch(Math.max(0, batch));
    return found.stream().map(ObjectMeta::key).filter(key -> key.compareTo(limit) < 0).toList();
  }

  private static List<String> oldest(List<ObjectMeta> found) {
    return found.stream()
        .sorted(Comparator.comparing(ObjectMeta::lastModified).thenComparing(ObjectMeta::key))
        .limit(Math.max(0, found.size() - USERS_KEPT))
        .map(ObjectMeta::key)
        .toList();
  }
}
