/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.once;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.SmallObjects;
import io.penstock.core.store.ObjectMeta;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The records of the commits with a name ({@link CommitId}) that have happened at a table. Each is
 * an object {@code _penstock_done_SERIES_ID} at the table's root, which is written once the commit
 * is decided and before its intent goes. So whoever finds neither the intent of a commit nor,
 * afterwards, its record knows that it has not happened.
 */
public final class DoneCommits {
  private static final String NAME = "_penstock_done_";

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
    return series(id) + digest.substring(0, 32);
  }

  private String series(CommitId id) {
    return table.prefix() + NAME + id.seriesDigest() + "_";
  }

  /** Returns what the record of a commit says, if the commit has happened. */
  public Optional<String> find(CommitId id, String place) throws IOException {
    return objects.get(key(id, place)).map(text -> new String(text, StandardCharsets.UTF_8));
  }

  /** Returns the records of the series among the objects of a listing. */
  public List<ObjectMeta> ofSeries(CommitId id, List<ObjectMeta> listed) {
    String prefix = series(id);
    return listed.stream().filter(object -> object.key().startsWith(prefix)).toList();
  }

  /**
   * Deletes the oldest records, once a tenth more than is to be kept are there: so most commits
   * delete none.
   *
   * @param found the records of the series that a listing has shown
   */
  public void forgetOld(CommitId id, List<ObjectMeta> found) throws IOException {
    if (found.size() * 10L <= id.kept() * 11L) {
      return;
    }
    objects.delete(
        found.stream()
            .sorted(Comparator.comparing(ObjectMeta::lastModified).thenComparing(ObjectMeta::key))
            .limit(found.size() - id.kept())
            .map(ObjectMeta::key)
            .toList());
  }
}
