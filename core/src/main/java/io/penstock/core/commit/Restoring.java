/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.files.Stores;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.keys.Places;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Makes deleted objects visible again. A delete marker is removed by its id, so a request that is
 * repeated, or comes late, removes no other one.
 *
 * @param prefix of the output in which most of the objects are
 */
record Restoring(Stores stores, Lanes pool, String prefix) {
  private static final int BULK = 1000;

  /** Tells that an older version does not exist any more. */
  static final class GoneException extends IOException {
    private static final long serialVersionUID = 1L;

    private GoneException(String message) {
      super(message);
    }
  }

  /**
   * Removes the delete markers of the files, 1,000 with one request, until a request fails.
   *
   * @param done receives the files that were made visible
   * @param doubtful receives the files of which this is not known
   */
  void restore(FileSet some, FileSet done, FileSet doubtful) throws IOException {
    Parallel.untilFailureIn(
        page -> pool.writes(bucket(page), page.get(0).file().key()),
        pages(some),
        Keys.PAGES_AT_ONCE,
        page -> {
          page.forEach(doubtful::add);
          restore(page);
          page.forEach(done::add);
        });
  }

  private static String bucket(List<FileSet.Numbered> page) {
    return page.get(0).file().bucket();
  }

  private static List<List<FileSet.Numbered>> pages(FileSet some) {
    Map<String, List<List<FileSet.Numbered>>> pages = new LinkedHashMap<>();
    for (FileSet.Numbered one : some.numbered()) {
      List<List<FileSet.Numbered>> own =
          pages.computeIfAbsent(one.file().bucket(), bucket -> new ArrayList<>());
      if (own.isEmpty() || own.get(own.size() - 1).size() == BULK) {
        own.add(new ArrayList<>());
      }
      own.get(own.size() - 1).add(one);
    }
    return pages.values().stream().flatMap(List::stream).toList();
  }

  private void restore(List<FileSet.Numbered> page) throws IOException {
    for (int round = 0; ; round++) {
      Map<String, String> markers = new LinkedHashMap<>();
      for (FileSet.Numbered one : page) {
        RestoredFile file = (RestoredFile) one.file();
        if (round < file.markers().size()) {
          markers.put(file.key(), file.markers().get(round));
        }
      }
      if (markers.isEmpty()) {
        return;
      }
      for (StoreException failure : stores.of(bucket(page)).deleteVersions(markers).values()) {
        throw failure.kind() == Kind.ACCESS_DENIED
            ? failure.because(
                "Removing a delete marker needs s3:DeleteObjectVersion; see docs/permissions.md.")
            : failure;
      }
    }
  }

  /**
   * Checks that the files are visible. A version that a lifecycle rule has removed since it was
   * listed leaves its key without an object. Lists where the files are.
   *
   * @throws GoneException if one is not
   */
  void requireVisible(FileSet files) throws IOException {
    Map<String, Map<String, RestoredFile>> missing = new HashMap<>();
    for (TaskFile file : files) {
      missing
          .computeIfAbsent(file.bucket(), b -> new LinkedHashMap<>())
          .put(file.key(), (RestoredFile) file);
    }
    for (Map.Entry<String, Map<String, RestoredFile>> one : missing.entrySet()) {
      Map<String, RestoredFile> own = one.getValue();
      for (ListRequest first : Places.of(own.keySet(), prefix)) {
        Keys.forEachPage(
            stores.of(one.getKey()),
            first,
            page ->
                page.objects().forEach(object -> own.computeIfPresent(object.key(), left(object))));
      }
      if (!own.isEmpty()) {
        throw new GoneException(
            "%,d of the %,d files no longer exist in the version that was replaced, such as %s"
                .formatted(
                    own.size(),
                    files.size(),
                    new ObjectKey(one.getKey(), own.keySet().iterator().next())));
      }
    }
  }

  private static BiFunction<String, RestoredFile, RestoredFile> left(ObjectMeta object) {
    return (key, file) -> isOne(file, object) ? null : file;
  }

  /** Returns true if the object is the version that the file restores. */
  static boolean isOne(RestoredFile file, ObjectMeta object) {
    return object.sizeBytes() == file.sizeBytes() && Etags.match(object.etag(), file.etag());
  }
}
