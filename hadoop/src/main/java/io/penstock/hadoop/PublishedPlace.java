/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.hadoop.stream.PenstockOutputStream;
import io.penstock.hadoop.tree.Failures;
import io.penstock.hadoop.tree.NewFile;
import io.penstock.hadoop.tree.Opening;
import io.penstock.hadoop.tree.PenstockFileStatus;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A path whose key every client sees. Throws the exceptions that Hadoop's callers expect. */
record PublishedPlace(FileReading reading, FileWriting writing, Path path, String key)
    implements Place {
  @Override
  public Optional<Tree.Node> find() throws IOException {
    return translated(() -> reading.find(key));
  }

  /** Returns what the file has beside its content; nothing for a directory. */
  Map<String, byte[]> attributes() throws IOException {
    return translated(() -> reading.attributes(path, key));
  }

  @Override
  public PenstockFileStatus status() throws IOException {
    return translated(() -> reading.status(path, key));
  }

  @Override
  public FSDataInputStream open(Opening opening) throws IOException {
    return translated(() -> reading.open(path, key, opening));
  }

  @Override
  public List<PenstockFileStatus> entries() throws IOException {
    return translated(() -> reading.entries(path, key));
  }

  @Override
  public RemoteIterator<LocatedFileStatus> filesUnder() throws IOException {
    return translated(() -> reading.filesUnder(path, key));
  }

  @Override
  public ContentSummary summary() throws IOException {
    return translated(() -> reading.summary(path, key));
  }

  @Override
  public PenstockOutputStream.Destination create(NewFile file) throws IOException {
    return translated(() -> writing.create(path, key, file));
  }

  @Override
  public PenstockOutputStream.Destination append() throws IOException {
    return translated(() -> writing.append(path, key));
  }

  @Override
  public boolean mkdirs() throws IOException {
    return translated(() -> writing.mkdirs(path, key));
  }

  @Override
  public boolean delete(boolean recursive) throws IOException {
    return translated(() -> writing.delete(path, key, recursive));
  }

  /** Waits until no job commits to the directory. */
  void awaitCommits() throws IOException {
    translated(
        () -> {
          writing.awaitCommits(key);
          return null;
        });
  }

  @Override
  public PublishedPlace published() {
    return this;
  }

  private <T> T translated(Failures.Step<T> step) throws IOException {
    return Failures.translated(path, step);
  }
}
