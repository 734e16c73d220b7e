/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.commit.Segment;
import io.penstock.core.pool.Lanes;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.upload.ObjectWriter;
import io.penstock.core.upload.Uploader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations of a file system that change something. Paths are absolute. */
final class FileWriting {
  private static final Logger LOG = LoggerFactory.getLogger(FileWriting.class);

  private final ObjectStore store;
  private final Paths paths;
  private final Tree tree;
  private final FileReading reading;
  private final PendingFiles pending;
  private final OwnFiles ownFiles = new OwnFiles();
  private final Changes changes;
  private final Renaming renaming;
  private final Uploader uploader;
  private final FileSystem.Statistics statistics;

  FileWriting(
      ObjectStore store,
      Lanes pool,
      Paths paths,
      Tree tree,
      FileReading reading,
      PendingFiles pending,
      Uploader uploader,
      FileSystem.Statistics statistics) {
    this.store = store;
    this.paths = paths;
    this.tree = tree;
    this.reading = reading;
    this.pending = pending;
    this.changes = new Changes(store, tree, pool);
    this.renaming = new Renaming(store, tree, changes, ownFiles);
    this.uploader = uploader;
    this.statistics = statistics;
  }

  /**
   * Starts a file. A name that looks like a directory's costs a request that makes sure there is
   * none; a name that looks like a file's costs nothing before the upload.
   */
  FSDataOutputStream create(Path path, Condition condition) throws IOException {
    String key = paths.key(path);
    if (key.isEmpty()) {
      throw new FileAlreadyExistsException(path + " is the root directory");
    }
    Optional<Segment.Split> segment = Segment.in(key);
    try {
      PenstockOutputStream.Destination target =
          segment.isPresent()
              ? pending.create(segment.get(), condition)
              : target(key, uploader.write(key, checked(path, key, condition)));
      return new FSDataOutputStream(
          new PenstockOutputStream(path.toString(), target, statistics), null);
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
  }

  private PenstockOutputStream.Destination target(String key, ObjectWriter writer) {
    return new PenstockOutputStream.Destination() {
      @Override
      public OutputStream out() {
        return writer;
      }

      @Override
      public void close() throws IOException {
        writer.close();
        writer.etag().ifPresent(etag -> ownFiles.wrote(key, writer.writtenBytes(), etag));
      }

      @Override
      public void abort() throws IOException {
        writer.abort();
      }
    };
  }

  /** Creates a file of all that is in the stream; nothing appears when the stream fails. */
  void upload(InputStream content, Path path, Condition condition) throws IOException {
    FSDataOutputStream out = create(path, condition);
    try {
      content.transferTo(out);
    } catch (IOException | RuntimeException | Error e) {
      // A close would publish what has been read so far.
      IOException unclean = out.abort().anyCleanupException();
      if (unclean != null) {
        e.addSuppressed(unclean);
      }
      throw e;
    }
    out.close();
  }

  private Condition checked(Path path, String key, Condition condition) throws IOException {
    boolean conditional = condition == Condition.NONE || store.supportsConditionalWrites();
    if (!KeyName.looksLikeFile(key) || !conditional) {
      Optional<Tree.Node> found = tree.find(key);
      if (found.isPresent() && found.get().isDirectory()) {
        throw new FileAlreadyExistsException(path + " is a directory");
      }
      if (found.isPresent() && condition.equals(Condition.IF_ABSENT)) {
        throw new FileAlreadyExistsException(path + " exists already");
      }
    }
    if (!conditional && condition instanceof Condition.IfMatch) {
      throw new IOException(path + ": this store has no conditional writes, so none can be made");
    }
    if (!conditional) {
      LOG.warn(
          "{}: this store has no conditional writes; two that create it at once both succeed",
          path);
    }
    return conditional ? condition : Condition.NONE;
  }

  boolean mkdirs(Path path) throws IOException {
    String key = paths.key(path);
    if (Segment.in(key).isPresent()) {
      return true;
    }
    RenamingCommitters.notice(path);
    try {
      Optional<Tree.Node> found = tree.findUnlikelyFile(key);
      if (found.isPresent()) {
        if (found.get().isDirectory()) {
          return true;
        }
        throw new FileAlreadyExistsException(path + " is a file");
      }
      changes.putMarker(key);
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
    return true;
  }

  void requireDirectory(Path path) throws IOException {
    Tree.Node node =
        reading
            .find(path)
            .orElseThrow(() -> new FileNotFoundException("no such directory: " + path));
    if (!node.isDirectory()) {
      throw new ParentNotDirectoryException(path + " is a file");
    }
  }

  boolean delete(Path path, boolean recursive) throws IOException {
    String key = paths.key(path);
    Optional<Segment.Split> segment = Segment.in(key);
    if (segment.isPresent()) {
      return pending.delete(segment.get());
    }
    Optional<Tree.Node> found = reading.find(path);
    if (found.isEmpty()) {
      return false;
    }
    try {
      if (!found.get().isDirectory()) {
        changes.deleteFile(key);
        ownFiles.forget(key);
        return true;
      }
      return deleteDirectory(path, key, recursive);
    } catch (IOException e) {
      throw Failures.translate(path.toString(), e);
    }
  }

  private boolean deleteDirectory(Path path, String key, boolean recursive) throws IOException {
    boolean empty = recursive || isEmptyDirectory(key);
    if (!empty) {
      throw new PathIsNotEmptyDirectoryException(path.toString());
    }
    if (key.isEmpty()) {
      // Nobody wipes a bucket by a slip: what is at the root goes by its own name.
      LOG.warn("delete of the root {} does nothing", path);
      return false;
    }
    changes.deleteDirectory(key);
    changes.keepDirectory(Paths.parent(key));
    return true;
  }

  private boolean isEmptyDirectory(String key) throws IOException {
    return tree.level(key)
        .map(level -> level.files().isEmpty() && level.directories().isEmpty())
        .orElse(true);
  }

  /**
   * Renames as HDFS does, except that missing directories above the target are no obstacle: false,
   * with the reason in the log, when the source is missing or the target is in the way.
   */
  boolean rename(Path source, Path target) throws IOException {
    try {
      return renaming.rename(paths.key(source), paths.key(target));
    } catch (IOException e) {
      throw Failures.translate(source.toString(), e);
    }
  }

  /**
   * Renames a file over another one, or beside itself, by the copy alone; false, with nothing done,
   * when it is no such rename.
   */
  boolean replaced(Path source, Path target) throws IOException {
    try {
      return renaming.replaced(paths.key(source), paths.key(target));
    } catch (IOException e) {
      throw Failures.translate(source.toString(), e);
    }
  }
}
