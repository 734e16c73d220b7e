/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.time.Time;
import java.io.FileNotFoundException;
import java.util.Optional;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;

/**
 * Makes the statuses of one file system.
 *
 * @param owner the owner of every file, because S3 reports none
 * @param blockSize in bytes; determines the size of splits
 * @param time the clock whose time directories get
 */
public record Statuses(String owner, long blockSize, Time time) {
  public PenstockFileStatus of(Path path, Optional<Tree.Node> found) throws FileNotFoundException {
    Tree.Node node =
        found.orElseThrow(() -> new FileNotFoundException("no such file or directory: " + path));
    return node.isDirectory() ? directory(path) : file(path, node.file().get());
  }

  public PenstockFileStatus file(Path path, ObjectMeta meta) {
    return PenstockFileStatus.file(path, meta, blockSize, owner);
  }

  public PenstockFileStatus directory(Path path) {
    return PenstockFileStatus.directory(path, owner, time.now());
  }

  /** Returns the totals of one file or of an empty directory. */
  public ContentSummary summary(PenstockFileStatus status) {
    return new ContentSummary.Builder()
        .length(status.getLen())
        .fileCount(status.isFile() ? 1 : 0)
        .directoryCount(status.isFile() ? 0 : 1)
        .spaceConsumed(status.getLen())
        .build();
  }
}
