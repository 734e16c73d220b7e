/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.store.Condition;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.hadoop.stream.PenstockOutputStream;
import io.penstock.hadoop.tree.Failures;
import io.penstock.hadoop.tree.NewFile;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;

/** Resolves paths. Only this class decides whether a path is published or pending. */
final class Places {
  private final Paths paths;
  private final FileReading reading;
  private final FileWriting writing;
  private final PendingFiles pending;
  private final LogOnce warnings;
  private final FileSystem.Statistics statistics;

  Places(
      Paths paths,
      FileReading reading,
      FileWriting writing,
      PendingFiles pending,
      LogOnce warnings,
      FileSystem.Statistics statistics) {
    this.paths = paths;
    this.reading = reading;
    this.writing = writing;
    this.pending = pending;
    this.warnings = warnings;
    this.statistics = statistics;
  }

  /**
   * Resolves a path without a request.
   *
   * @param path an absolute path of this file system
   */
  Place of(Path path) {
    String key = paths.key(path);
    Optional<Segment.Split> segment = Segment.in(key);
    return segment.isPresent()
        ? new PendingPlace(pending, path, segment.get())
        : new PublishedPlace(reading, writing, path, key);
  }

  /** Starts a file, as {@link Place#create} does. */
  FSDataOutputStream create(Path path, Condition condition) throws IOException {
    return create(path, new NewFile(condition, UserMetadata.NONE, false));
  }

  /** Starts a file, as {@link Place#create} does. */
  FSDataOutputStream create(Path path, NewFile file) throws IOException {
    return stream(path, of(path).create(file), 0);
  }

  /** Opens a file to add to its end, as {@link Place#append} does. */
  FSDataOutputStream append(Path path) throws IOException {
    PenstockOutputStream.Destination destination = of(path).append();
    return stream(path, destination, destination.position());
  }

  private FSDataOutputStream stream(
      Path path, PenstockOutputStream.Destination destination, long position) throws IOException {
    return new FSDataOutputStream(
        new PenstockOutputStream(path.toString(), destination, warnings, statistics),
        null,
        position);
  }

  /** Creates a file from the whole stream. If the stream fails, no file appears. */
  void upload(InputStream content, Path path, Condition condition) throws IOException {
    FSDataOutputStream out = create(path, condition);
    try {
      content.transferTo(out);
    } catch (IOException | RuntimeException | Error e) {
      // A close would publish the bytes that were read so far.
      IOException unclean = out.abort().anyCleanupException();
      if (unclean != null) {
        e.addSuppressed(unclean);
      }
      throw e;
    }
    out.close();
  }

  /** Renames, as {@link FileWriting#rename} does. */
  boolean rename(Path source, Path target) throws IOException {
    PublishedPlace from = of(source).published();
    PublishedPlace to = of(target).published();
    return Failures.translated(source, () -> writing.rename(from, to));
  }

  /** Renames a file over another one, as {@link FileWriting#replaced} does. */
  boolean replaced(Path source, Path target) throws IOException {
    PublishedPlace from = of(source).published();
    PublishedPlace to = of(target).published();
    return Failures.translated(source, () -> writing.replaced(from, to));
  }

  /**
   * Checks that a directory is at the path.
   *
   * @throws FileNotFoundException when nothing is at the path
   * @throws ParentNotDirectoryException when a file is at the path
   */
  void requireDirectory(Path path) throws IOException {
    Tree.Node node =
        of(path).find().orElseThrow(() -> new FileNotFoundException("no such directory: " + path));
    if (!node.isDirectory()) {
      throw new ParentNotDirectoryException(path + " is a file");
    }
  }
}
