/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.ObjectMeta;
import java.time.Instant;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A status that carries the ETag, so that a reader who opens the file with the status reads the
 * version that the status describes.
 */
public final class PenstockFileStatus extends FileStatus implements EtagSource {
  private static final long serialVersionUID = 1L;

  private static final short ALL = 0777;
  private static final short READ_WRITE = 0666;

  private final String etag;

  private PenstockFileStatus(
      Path path, boolean directory, long size, long block, long time, String owner, String etag) {
    super(
        size,
        directory,
        1,
        block,
        time,
        time,
        FsPermission.createImmutable(directory ? ALL : READ_WRITE),
        owner,
        owner,
        path);
    this.etag = etag;
  }

  /** Returns the status of a file of which only this is known. */
  public static PenstockFileStatus ofKnown(Path path, long size, String etag) {
    return new PenstockFileStatus(path, false, size, 0, 0, "", etag);
  }

  static PenstockFileStatus file(Path path, ObjectMeta meta, long blockSize, String owner) {
    return new PenstockFileStatus(
        path,
        false,
        meta.sizeBytes(),
        blockSize,
        meta.lastModified().toEpochMilli(),
        owner,
        meta.etag());
  }

  /**
   * Returns the status of a directory. A directory has no time of its own, because only the keys
   * below it imply it. It gets the present one: whoever deletes directories by their age, such as
   * YARN's aggregated logs, would take one without a time for the oldest of all.
   */
  static PenstockFileStatus directory(Path path, String owner, Instant now) {
    return new PenstockFileStatus(path, true, 0, 0, now.toEpochMilli(), owner, null);
  }

  @Override
  public String getEtag() {
    return etag;
  }

  // Follows Hadoop's rule: two statuses are equal if their paths are equal.

  @Override
  public boolean equals(Object other) {
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
