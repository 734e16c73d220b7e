/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import io.penstock.core.checkpoint.Conflict;
import io.penstock.core.checkpoint.FencedStore;
import io.penstock.core.checkpoint.Writer;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.upload.Uploader;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.tree.Failures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A checkpoint in S3. A new file is one conditional PUT, or one multipart upload if the file is
 * large. No file is renamed, and no request comes before the write. Directories are not created but
 * only remembered, because S3 needs none. Only the directory of a file sink's log is created,
 * because readers of the sink look for it.
 */
public final class S3CheckpointFiles implements CheckpointFiles {
  private static final Logger LOG = LoggerFactory.getLogger(S3CheckpointFiles.class);

  private final PenstockFileSystem fs;
  private final Path location;
  private final Supplier<Writer> writer;
  private final ObjectStore store;
  private final Uploader uploader;
  private final Progress progress = new Progress();
  private final Instant opened;
  private final Set<Path> made = ConcurrentHashMap.newKeySet();

  /**
   * @param fs is closed by the caller; its store for commits makes the requests
   * @param location of the checkpoint; may be relative to the working directory of {@code fs}
   * @param writer returns the run that writes; called at each write
   */
  public S3CheckpointFiles(PenstockFileSystem fs, Path location, Supplier<Writer> writer) {
    this.fs = fs;
    this.location = fs.makeQualified(location);
    this.writer = writer;
    Engine engine = fs.stack().engine();
    FencedStore fenced = new FencedStore(fs.commitStore(), writer, engine.chance());
    this.store = fenced;
    this.uploader = fs.stack().uploader(fenced, fenced::newWriteId);
    this.opened = engine.time().now();
  }

  @Override
  public AtomicOutput create(Path path, boolean overwrite) throws IOException {
    Path file = fs.makeQualified(path);
    requireConditionalWrites(file);
    Condition condition = overwrite ? Condition.NONE : Condition.IF_ABSENT;
    return new ObjectOutput(file, uploader.write(fs.key(file), condition), progress);
  }

  /**
   * Fails if the store has no conditional writes. Without them two drivers could write the same
   * batch, and neither would notice.
   */
  private void requireConditionalWrites(Path file) throws IOException {
    try {
      if (store.supportsConditionalWrites(fs.key(file))) {
        return;
      }
    } catch (IOException e) {
      throw Failures.translate(file.toString(), e);
    }
    throw new IOException(
        "%s: this store ignores the conditions of conditional writes, so a second driver can damage a checkpoint in it. Use a store that supports If-None-Match, or set spark.hadoop.penstock.spark.checkpoint.enabled=false to use Spark's own checkpoint manager, which renames."
            .formatted(file));
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    return fs.open(path);
  }

  @Override
  public Optional<byte[]> read(Path path, int mostBytes) throws IOException {
    Path file = fs.makeQualified(path);
    ByteRange first = new ByteRange(0, mostBytes);
    try {
      return Optional.of(store.get(fs.key(file), first, Optional.empty()).bytes());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      if (e.kind() == Kind.RANGE_NOT_SATISFIABLE) {
        return Optional.of(new byte[0]); // The object is empty.
      }
      throw Failures.translate(file.toString(), e);
    }
  }

  @Override
  public List<FileStatus> list(Path path) throws IOException {
    Path directory = fs.makeQualified(path);
    List<FileStatus> found = new ArrayList<>();
    try {
      found.addAll(List.of(fs.listStatus(directory)));
    } catch (FileNotFoundException e) {
      // Nothing has been written into this directory yet.
    }
    if (BatchNames.isLog(directory)) {
      progress.listed(directory, found.stream().map(FileStatus::getPath).toList());
    }
    for (Path child : made) {
      boolean isListed = found.stream().anyMatch(status -> status.getPath().equals(child));
      if (directory.equals(child.getParent()) && !isListed) {
        found.add(new FileStatus(0, true, 1, 0, 0, child));
      }
    }
    return found;
  }

  @Override
  public void mkdirs(Path path) throws IOException {
    if (path.getName().equals(BatchNames.SINK_LOG)) {
      // Readers of a sink treat its files as committed unless this directory exists.
      fs.mkdirs(path);
    }
    for (Path at = fs.makeQualified(path); at != null && made.add(at); at = at.getParent()) {
      // The loop ends at a known directory, because the directories above it are known too.
    }
  }

  @Override
  public boolean exists(Path path) throws IOException {
    Path file = fs.makeQualified(path);
    if (progress.isAhead(file)) {
      return false;
    }
    if (made.contains(file)) {
      return true;
    }
    return BatchNames.isFile(file) ? isObject(file) : fs.exists(file);
  }

  private boolean isObject(Path file) throws IOException {
    Optional<ObjectMeta> there = head(file);
    if (there.isPresent()) {
      refuseIfLater(file, there.get());
    }
    return there.isPresent();
  }

  private Optional<ObjectMeta> head(Path file) throws IOException {
    try {
      return Optional.of(store.head(fs.key(file)));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw Failures.translate(file.toString(), e);
    }
  }

  /**
   * Fails if a later run has written the file, because Spark would only say that another query
   * wrote it. If an earlier run has written the file, this only warns, because this run may just
   * want to read it.
   */
  private void refuseIfLater(Path file, ObjectMeta there) throws IOException {
    Conflict conflict = new Conflict(writer.get(), Optional.of(there));
    if (conflict.other().filter(conflict.own()::isOvertakenBy).isPresent()) {
      throw new FileAlreadyExistsException(file + ": " + conflict.present());
    }
    if (conflict.isOfAnotherRun() && there.lastModified().isAfter(opened)) {
      LOG.warn("{}: {}", file, conflict.present());
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    Path file = fs.makeQualified(path);
    if (!BatchNames.isFile(file)) {
      fs.delete(file, true);
      made.removeIf(directory -> BatchNames.isInside(directory, file));
      return;
    }
    try {
      store.delete(fs.key(file));
    } catch (IOException e) {
      throw Failures.translate(file.toString(), e);
    }
    progress.deleted(file);
  }

  @Override
  public Optional<String> writer(Path path) throws IOException {
    return head(fs.makeQualified(path))
        .flatMap(ObjectMeta::writeId)
        .flatMap(Writer::ofWriteId)
        .map(Writer::toString);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public Path createCheckpointDirectory() throws IOException {
    mkdirs(location);
    return location;
  }
}
