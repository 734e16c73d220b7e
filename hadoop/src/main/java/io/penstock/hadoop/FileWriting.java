/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.Settings;
import io.penstock.core.flush.FlushQueue;
import io.penstock.core.flush.FlushedWriter;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.upload.Uploader;
import io.penstock.hadoop.change.Changes;
import io.penstock.hadoop.change.CommitsBelow;
import io.penstock.hadoop.change.OwnFiles;
import io.penstock.hadoop.change.RenameWarnings;
import io.penstock.hadoop.change.Renaming;
import io.penstock.hadoop.stream.PenstockOutputStream;
import io.penstock.hadoop.tree.KeyName;
import io.penstock.hadoop.tree.NewFile;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the published files and directories, which are those that the keys of a bucket imply. */
public final class FileWriting {
  private static final Logger LOG = LoggerFactory.getLogger(FileWriting.class);

  private final ObjectStore store;
  private final Tree tree;
  private final OwnFiles ownFiles = new OwnFiles();
  private final Changes changes;
  private final Renaming renaming;
  private final Uploader uploader;
  private final LogOnce saidOnce;
  private final Supplier<String> writeIds;
  private final FlushQueue flushes;
  private final Duration flushInterval;
  private final RenameWarnings warnings;

  /**
   * @param settings of all buckets
   */
  FileWriting(StoreStack stack, Tree tree, Supplier<Settings> settings) {
    this.store = stack.store();
    this.tree = tree;
    this.changes =
        new Changes(store, tree, stack.pool(), stack.writeIds(), new CommitsBelow(stack, settings));
    this.uploader = stack.uploader();
    Engine engine = stack.engine();
    this.saidOnce = engine.warnings();
    this.writeIds = stack.writeIds();
    this.flushes = engine.flushes();
    this.flushInterval = stack.settings().get(FlushedWriter.INTERVAL);
    this.warnings = new RenameWarnings(saidOnce, () -> engine.applicationSettings().isPresent());
    this.renaming = new Renaming(store, tree, changes, ownFiles, warnings);
  }

  /**
   * Starts a file. If the name looks like a directory's, one request checks that no such directory
   * exists. If the name looks like a file's, no request is sent before the upload.
   */
  PenstockOutputStream.Destination create(Path path, String key, NewFile file) throws IOException {
    if (key.isEmpty()) {
      throw new FileAlreadyExistsException(path + " is the root directory");
    }
    Condition checked = checked(path, key, file.condition());
    return new PublishedFile(
        key,
        new FlushedWriter(
            store, key, uploader.write(key, checked, file.user()), checked, writeIds));
  }

  /**
   * Opens a file to add to its end. The file is replaced as one whole at the close, if no other
   * writer has changed it meanwhile.
   */
  PenstockOutputStream.Destination append(Path path, String key) throws IOException {
    ObjectMeta old = appendable(path, key);
    FlushedWriter writer;
    try {
      writer = FlushedWriter.append(store, old, uploader.append(old), writeIds);
    } catch (StoreException e) {
      throw isByOthers(e) ? changed(path, e) : e;
    }
    return new PublishedFile(key, writer) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } catch (StoreException e) {
          throw isByOthers(e) ? changed(path, e) : e;
        }
      }
    };
  }

  private ObjectMeta appendable(Path path, String key) throws IOException {
    Tree.Node found =
        tree.find(key)
            .orElseThrow(() -> new FileNotFoundException("no file to append to: " + path));
    ObjectMeta old =
        found.file().orElseThrow(() -> new FileAlreadyExistsException(path + " is a directory"));
    // Also for a small file, which may grow while it is written.
    if (Etags.isWeak(old.etag()) || !store.supportsConditionalCompletes(key)) {
      throw new UnsupportedOperationException(
          path
              + ": append needs a store that gives strong ETags and checks conditions of uploads,"
              + " since two writers would lose each other's bytes; this one does not");
    }
    // A listing does not tell what the file has beside its content.
    return Tree.isAskedFor(key) ? old : store.head(key);
  }

  private static boolean isByOthers(StoreException failure) {
    return switch (failure.kind()) {
      case PRECONDITION_FAILED, NO_SUCH_KEY, CONFLICT -> true;
      default -> false;
    };
  }

  private static IOException changed(Path path, StoreException failure) {
    return new PathIOException(
        path.toString(),
        "another writer has replaced or deleted the file since it was opened to append; at most"
            + " what hflush has shown is in it of what was written",
        failure);
  }

  /** A file that readers see before it is complete, if it is flushed. */
  private class PublishedFile implements PenstockOutputStream.Destination {
    private final String key;
    private final FlushedWriter writer;

    PublishedFile(String key, FlushedWriter writer) {
      this.key = key;
      this.writer = writer;
      writer.shownBy(flushes, flushInterval, saidOnce);
    }

    @Override
    public OutputStream out() {
      return writer;
    }

    @Override
    public long position() {
      return writer.objectBytes();
    }

    @Override
    public void close() throws IOException {
      writer.close();
      writer
          .etag()
          .ifPresent(etag -> ownFiles.wrote(key, writer.objectBytes(), etag, writer.user()));
    }

    @Override
    public void abort() throws IOException {
      writer.abort();
    }

    @Override
    public boolean flush() throws IOException {
      boolean isShown = writer.flushed();
      if (isShown && flushInterval.isZero()) {
        writer.show();
      } else if (isShown) {
        flushes.showAfter(flushInterval, writer);
      }
      return true;
    }
  }

  private Condition checked(Path path, String key, Condition condition) throws IOException {
    boolean conditional = condition == Condition.NONE || store.supportsConditionalWrites(key);
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
      throw new IOException(
          path + ": this store has no conditional writes, but this write needs one");
    }
    if (!conditional && saidOnce.isNew("not conditional " + store.bucket())) {
      LOG.warn(
          "s3://{}: this store has no conditional writes; if two writers create the same file at"
              + " once, both succeed",
          store.bucket());
    }
    return conditional ? condition : Condition.NONE;
  }

  boolean mkdirs(Path path, String key) throws IOException {
    warnings.making(path);
    Optional<Tree.Node> found = tree.findUnlikelyFile(key);
    if (found.isEmpty()) {
      changes.putMarker(key);
    } else if (!found.get().isDirectory()) {
      throw new FileAlreadyExistsException(path + " is a file");
    }
    return true;
  }

  boolean delete(Path path, String key, boolean recursive) throws IOException {
    Optional<Tree.Node> found = tree.find(key);
    if (found.isEmpty()) {
      return false;
    }
    if (!found.get().isDirectory()) {
      changes.deleteFile(key);
      ownFiles.forget(key);
      return true;
    }
    return deleteDirectory(path, key, recursive);
  }

  private boolean deleteDirectory(Path path, String key, boolean recursive) throws IOException {
    boolean empty = recursive || isEmptyDirectory(key);
    if (!empty) {
      throw new PathIsNotEmptyDirectoryException(path.toString());
    }
    if (key.isEmpty()) {
      // Deleting the root does nothing, so that a mistake cannot empty a bucket. Entries at the
      // root must be deleted by their own names.
      LOG.warn("delete of the root {} does nothing", path);
      return false;
    }
    changes.deleteDirectory(key);
    changes.keepDirectory(Paths.parent(key));
    return true;
  }

  /** Waits until no job commits to the directory. */
  void awaitCommits(String key) throws IOException {
    changes.awaitCommits(key);
  }

  private boolean isEmptyDirectory(String key) throws IOException {
    return tree.level(key)
        .map(level -> level.files().isEmpty() && level.directories().isEmpty())
        .orElse(true);
  }

  /**
   * Renames as HDFS does, but allows missing directories above the target. Returns false and logs
   * the reason if the source is missing or the target is in the way.
   */
  boolean rename(PublishedPlace source, PublishedPlace target) throws IOException {
    warnings.renaming(source.path(), target.path());
    return renaming.rename(source.key(), target.key());
  }

  /**
   * Renames a file over another file, or within its directory, with the copy alone. For any other
   * rename, returns false and changes nothing.
   */
  boolean replaced(PublishedPlace source, PublishedPlace target) throws IOException {
    warnings.renaming(source.path(), target.path());
    return renaming.replaced(source.key(), target.key());
  }
}
