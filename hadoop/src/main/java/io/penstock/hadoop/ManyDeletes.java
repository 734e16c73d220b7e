/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.StoreException;
import io.penstock.core.store.keys.Keys;
import io.penstock.hadoop.tree.KeyName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/**
 * Deletes many files with one request. As Hadoop's interface requires, a missing file is no
 * failure, and a directory with entries stays. For a name that looks like a file's, no request
 * checks for a directory. This is a separate class because {@link BulkDelete} came with Hadoop
 * 3.4.1.
 */
final class ManyDeletes implements BulkDelete {
  private static final int PAGE = 1000;
  private static final String NOT_EMPTY = "the directory is not empty";

  private final PenstockFileSystem fs;
  private final Path base;

  ManyDeletes(PenstockFileSystem fs, Path base) {
    this.fs = fs;
    this.base = base;
  }

  @Override
  public int pageSize() {
    return PAGE;
  }

  @Override
  public Path basePath() {
    return base;
  }

  @Override
  public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) throws IOException {
    if (paths.size() > PAGE) {
      throw new IllegalArgumentException(paths.size() + " paths are more than " + PAGE);
    }
    Map<String, Path> keys = new LinkedHashMap<>();
    List<Map.Entry<Path, String>> failed = new ArrayList<>();
    for (Path path : paths) {
      check(path);
      if (!(fs.at(path) instanceof PendingPlace)) {
        keys.put(fs.key(path), path);
      } else if (!deletedIfEmpty(path)) {
        failed.add(Map.entry(path, NOT_EMPTY));
      }
    }
    if (keys.isEmpty()) {
      return failed;
    }
    Map<String, StoreException> failures = Keys.deletePage(fs.store(), List.copyOf(keys.keySet()));
    failures.forEach((key, failure) -> failed.add(Map.entry(keys.get(key), failure.getMessage())));
    for (Map.Entry<String, Path> entry : keys.entrySet()) {
      boolean maybeDirectory = !KeyName.looksLikeFile(entry.getKey());
      if (maybeDirectory && !deletedIfEmpty(entry.getValue())) {
        failed.add(Map.entry(entry.getValue(), NOT_EMPTY));
      }
    }
    return failed;
  }

  /** Deletes an empty directory. Returns false if the directory has entries. */
  private boolean deletedIfEmpty(Path path) throws IOException {
    try {
      fs.delete(path, false);
      return true;
    } catch (PathIsNotEmptyDirectoryException e) {
      return false;
    }
  }

  private void check(Path path) {
    String inside = base.isRoot() ? base.toString() : base + "/";
    boolean under = path.equals(base) || path.toString().startsWith(inside);
    if (!path.isAbsolute() || !under) {
      throw new IllegalArgumentException(path + " is not an absolute path under " + base);
    }
  }

  @Override
  public void close() {
    // Nothing to close.
  }
}
