/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.commit.files.Segment;
import io.penstock.hadoop.stream.PenstockOutputStream;
import io.penstock.hadoop.tree.Failures;
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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A path below a task attempt's segment. It shows the attempt's own files, at any depth, and only
 * directories that contain files. {@code mkdirs} does nothing, because directories need not be
 * created.
 */
record PendingPlace(PendingFiles files, Path path, Segment.Split at) implements Place {
  @Override
  public Optional<Tree.Node> find() {
    return files.find(at);
  }

  @Override
  public PenstockFileStatus status() throws IOException {
    return files.status(path, at);
  }

  @Override
  public FSDataInputStream open(Opening opening) throws IOException {
    throw new IOException(path + " cannot be read before its job commits");
  }

  @Override
  public List<PenstockFileStatus> entries() {
    return files.under(path, at);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> filesUnder() throws IOException {
    return locatedEntries();
  }

  @Override
  public ContentSummary summary() throws IOException {
    return files.summary(path, at);
  }

  @Override
  public PenstockOutputStream.Destination create(NewFile file) throws IOException {
    if (file.isDemanded()) {
      throw new UnsupportedOperationException(
          path
              + " belongs to a task that has not committed, so it can have no metadata of its own");
    }
    return Failures.translated(path, () -> files.create(at, file.condition()));
  }

  @Override
  public PenstockOutputStream.Destination append() {
    throw new UnsupportedOperationException(
        path + " belongs to a task that has not committed, so nothing can be appended to it");
  }

  @Override
  public boolean mkdirs() {
    return true;
  }

  @Override
  public boolean delete(boolean recursive) throws IOException {
    if (!recursive && files.isDirectoryWithFiles(at)) {
      throw new PathIsNotEmptyDirectoryException(path.toString());
    }
    return files.delete(at);
  }

  @Override
  public PublishedPlace published() throws IOException {
    throw new IOException(
        path
            + " belongs to a task that has not committed, so it cannot be renamed or written with a"
            + " MultipartUploader");
  }
}
