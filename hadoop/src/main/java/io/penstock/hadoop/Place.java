/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.hadoop.stream.PenstockOutputStream;
import io.penstock.hadoop.tree.LocatedStatus;
import io.penstock.hadoop.tree.NewFile;
import io.penstock.hadoop.tree.Opening;
import io.penstock.hadoop.tree.PenstockFileStatus;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * A path that {@link Places} has resolved. A published path has a key of the bucket, which every
 * client sees. A pending path has only a task attempt's own files, which no other client sees
 * before the job commits.
 */
interface Place {
  /** Returns the file or directory at the path, if any. */
  Optional<Tree.Node> find() throws IOException;

  /**
   * Returns the status of the file or directory at the path.
   *
   * @throws java.io.FileNotFoundException when nothing is at the path
   */
  PenstockFileStatus status() throws IOException;

  /**
   * Opens the file for reading.
   *
   * @throws java.io.FileNotFoundException when there is no file, or a directory
   * @throws IOException when the file is pending
   */
  FSDataInputStream open(Opening opening) throws IOException;

  /**
   * Returns the direct entries of the directory. If a published path is a file, returns only that
   * file.
   */
  List<PenstockFileStatus> entries() throws IOException;

  /** Returns the entries with block locations, for callers that place tasks near their data. */
  default RemoteIterator<LocatedFileStatus> locatedEntries() throws IOException {
    return RemoteIterators.mappingRemoteIterator(
        RemoteIterators.remoteIteratorFromIterable(entries()), LocatedStatus::new);
  }

  /** Returns all files below the path, without directories. */
  RemoteIterator<LocatedFileStatus> filesUnder() throws IOException;

  ContentSummary summary() throws IOException;

  /**
   * Starts a file.
   *
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when its condition fails or a directory
   *     is at the path
   */
  PenstockOutputStream.Destination create(NewFile file) throws IOException;

  /**
   * Opens a file to add to its end.
   *
   * @throws java.io.FileNotFoundException when nothing is at the path
   * @throws UnsupportedOperationException when the file is pending, or the store checks no
   *     conditions
   */
  PenstockOutputStream.Destination append() throws IOException;

  /**
   * Creates the directory if this kind of path needs one. Returns true if files can be written
   * there.
   */
  boolean mkdirs() throws IOException;

  /** Deletes the file or directory. Returns false if nothing is at the path. */
  boolean delete(boolean recursive) throws IOException;

  /**
   * Returns this place as a published one, for operations that a pending path does not support.
   *
   * @throws IOException when the path is pending
   */
  PublishedPlace published() throws IOException;
}
