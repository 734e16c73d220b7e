/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.ClaimWatch.OvertakenException;
import io.penstock.core.checkpoint.Claims;
import io.penstock.core.stack.Engine;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import io.penstock.hadoop.checkpoint.FilesShelf;
import io.penstock.hadoop.checkpoint.LogPosition;
import io.penstock.hadoop.checkpoint.S3CheckpointFiles;
import io.penstock.hadoop.checkpoint.Writers;
import io.penstock.spark.SneakyThrow;
import io.penstock.spark.checkpoint.mount.MountedCheckpoint;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;

/**
 * The methods of Spark's {@code CheckpointFileManager} that name no type of Spark. Spark 4.1 moved
 * the trait to another package. For each of the two packages, a subclass adds the other methods.
 *
 * <p>As in Spark's own managers, every method and the constructor may throw an IOException that the
 * signature does not declare. Listing or creating a file claims the checkpoint if a run begins with
 * it.
 */
public abstract class QueryFiles {
  private final CheckpointFiles files;
  private final Optional<QueryWriter> writer;
  private final PlannedOffsets planned;

  /** The files of a location, and the run that writes there if it matters. */
  private record Served(CheckpointFiles files, Optional<QueryWriter> writer) {}

  /**
   * Opens the files of Spark's own manager. Called only for locations that Penstock does not serve.
   */
  @FunctionalInterface
  protected interface Otherwise {
    CheckpointFiles open();
  }

  protected QueryFiles(Path path, Configuration conf, Otherwise spark) {
    Served served = SneakyThrow.get(() -> serve(path, conf, spark));
    this.files = served.files();
    this.writer = served.writer();
    this.planned = new PlannedOffsets(files);
  }

  private static Served serve(Path path, Configuration conf, Otherwise spark) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path location = fs.makeQualified(path);
    Optional<PenstockFileSystem> ours = PenstockFileSystem.behind(fs);
    if (ours.isPresent()) {
      QueryWriter writer = new QueryWriter(ours.get().stack().engine(), location);
      CheckpointFiles files = new S3CheckpointFiles(ours.get(), location, writer);
      return new Served(files, Optional.of(writer));
    }
    if (MountedCheckpoint.isServedBy(fs)) {
      return mounted(location, conf, Engine.process());
    }
    return new Served(spark.open(), Optional.empty());
  }

  /**
   * Serves a mounted filesystem. The claims are in the checkpoint that they protect, so they are
   * read in the same way as its files.
   */
  private static Served mounted(Path location, Configuration conf, Engine engine)
      throws IOException {
    QueryWriter writer = new QueryWriter(engine, location);
    CheckpointFiles claims = MountedCheckpoint.open(location, conf);
    Writers others = new OtherRuns(writer, checkpoint -> claimsAt(claims, checkpoint));
    CheckpointFiles files =
        MountedCheckpoint.open(
            location, conf, others, engine.time(), () -> Optional.ofNullable(QueryWriter.active()));
    return new Served(files, Optional.of(writer));
  }

  private static Claims claimsAt(CheckpointFiles files, Path checkpoint) {
    return new Claims(new FilesShelf(files, checkpoint));
  }

  protected final AtomicOutput create(Path path, boolean overwrite) {
    return SneakyThrow.get(
        () -> {
          begin();
          AtomicOutput output = files.create(path, overwrite);
          return writer.isPresent() && !overwrite ? checked(output, path) : output;
        });
  }

  private AtomicOutput checked(AtomicOutput output, Path path) {
    LogPosition position = new LogPosition(files, path);
    AtomicOutput watched = writer.get().watched(output, position);
    return position.isOfOffsets() ? planned.guarded(watched, path, position.number()) : watched;
  }

  /** Claims the checkpoint when a run begins. A run lists its offsets before any other step. */
  private void begin() throws IOException {
    if (writer.isPresent()) {
      writer.get().claimAtStart(checkpoint -> claimsAt(files, checkpoint));
    }
  }

  /**
   * Opens a file. A missing one throws a FileNotFoundException, which names the later run that may
   * have deleted it.
   */
  public final FSDataInputStream open(Path path) {
    return SneakyThrow.get(
        () -> {
          try {
            return files.open(path);
          } catch (FileNotFoundException e) {
            throw explained(e);
          }
        });
  }

  /** Returns the same failure, with the name of the later run that may have deleted the file. */
  private FileNotFoundException explained(FileNotFoundException missing) {
    if (writer.isEmpty()) {
      return missing;
    }
    try {
      writer.get().look(checkpoint -> claimsAt(files, checkpoint));
    } catch (OvertakenException e) {
      FileNotFoundException explained =
          new FileNotFoundException(missing.getMessage() + " " + e.getMessage());
      explained.initCause(missing);
      return explained;
    } catch (IOException e) {
      missing.addSuppressed(e);
    }
    return missing;
  }

  /**
   * Returns the files and directories in a directory that the filter accepts; none if it is
   * missing.
   */
  public final FileStatus[] list(Path path, PathFilter filter) {
    return SneakyThrow.get(
        () -> {
          begin();
          return files.list(path).stream()
              .filter(status -> filter.accept(status.getPath()))
              .toArray(FileStatus[]::new);
        });
  }

  /** Returns the files and directories in a directory; none if it is missing. */
  public final FileStatus[] list(Path path) {
    return list(path, any -> true);
  }

  public final void mkdirs(Path path) {
    SneakyThrow.run(() -> files.mkdirs(path));
  }

  /**
   * Returns true if the file or directory exists. Throws Hadoop's FileAlreadyExistsException if a
   * later run has written it, or has overtaken this run.
   */
  public final boolean exists(Path path) {
    return SneakyThrow.get(
        () -> {
          boolean there = files.exists(path);
          if (!there && writer.isPresent()) {
            // The file may be missing because a later run has purged it.
            writer.get().requireNotOvertaken(new LogPosition(files, path));
          }
          return there;
        });
  }

  public final void delete(Path path) {
    SneakyThrow.run(() -> files.delete(path));
  }

  public final boolean isLocal() {
    return files.isLocal();
  }

  /** Creates the checkpoint directory. Spark calls this on the driver at the start of a query. */
  public final Path createCheckpointDirectory() {
    return SneakyThrow.get(files::createCheckpointDirectory);
  }

  /** Has no effect: the files can still be used. */
  public final void close() {
    // Closes nothing: the file system is shared, and this class holds nothing else.
  }
}
