/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.Condition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * A path, resolved once by {@link Places}: published, where everybody sees the bucket's keys, or
 * pending, where only a task attempt's own files are, which nobody sees before its job commits.
 */
interface Place {
  /** Returns the file or directory that is there, if any. */
  Optional<Tree.Node> find() throws IOException;

  /**
   * Returns the status of what is there.
   *
   * @throws java.io.FileNotFoundException when nothing is
   */
  PenstockFileStatus status() throws IOException;

  /**
   * Opens the file for reading.
   *
   * @throws java.io.FileNotFoundException when there is none, or a directory
   * @throws IOException when it is pending
   */
  FSDataInputStream open(Opening opening) throws IOException;

  /**
   * Returns what is directly in the directory; the file itself when a published path is a file's.
   */
  List<PenstockFileStatus> entries() throws IOException;

  /** Returns the entries as those ask for them who place tasks near their data. */
  default RemoteIterator<LocatedFileStatus> locatedEntries() throws IOException {
    return RemoteIterators.mappingRemoteIterator(
        RemoteIterators.remoteIteratorFromIterable(entries()), LocatedStatus::new);
  }

  /** Returns all files below, without directories. */
  RemoteIterator<LocatedFileStatus> filesUnder() throws IOException;

  ContentSummary summary() throws IOException;

  /**
   * Starts a file.
   *
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when the condition or a directory is in
   *     the way
   */
  PenstockOutputStream.Destination create(Condition condition) throws IOException;

  /** Makes the directory, where directories are made; true when files can be written there. */
  boolean mkdirs() throws IOException;

  /** Deletes what is there; false when nothing is. */
  boolean delete(boolean recursive) throws IOException;

  /**
   * Returns this place, for what can only be done where everybody sees it.
   *
   * @throws IOException when the path is pending
   */
  PublishedPlace published() throws IOException;
}
