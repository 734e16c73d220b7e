/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import io.penstock.core.chance.Chance;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import io.penstock.hadoop.checkpoint.Writers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A checkpoint on a mounted filesystem: EFS, NFS, or a local disk.
 *
 * <p>A file is written under a hidden name and synced. Then it is linked to its own name, which
 * only one of two writers can do. If the file may be overwritten, it is renamed to its own name
 * instead. A process that dies leaves at most a hidden file, which {@link #list} does not show. A
 * file that cannot be read is an error. It is never treated as missing, because Spark would start
 * again at the first batch.
 *
 * <p>The claims, and not the file, tell which run may overwrite: see {@link Writers}. An overtaken
 * run is refused, except in the moment between its read of the claims and its rename.
 */
public final class SharedCheckpointFiles implements CheckpointFiles {
  /**
   * Matches the temporary names of Spark's own manager, with or without the task that wrote the
   * file.
   */
  private static final Pattern TEMPORARY =
      Pattern.compile("\\..+\\.[0-9a-f-]{36}(\\.TID\\d+)?\\.tmp");

  /** Checks that the other processes of the application can share a directory with this one. */
  @FunctionalInterface
  public interface Probe {
    /** Assumes that they can. */
    Probe NONE = directory -> {};

    /**
     * Checks the directory.
     *
     * @param directory existing, on the mounted filesystem
     * @throws IOException naming the processes that cannot
     */
    void check(Path directory) throws IOException;
  }

  private final Path checkpoint;
  private final LocalFileSystem files;
  private final Disk disk;
  private final Probe probe;
  private final Publishing publishing;

  /**
   * Makes and checks nothing yet, see {@link #createCheckpointDirectory}.
   *
   * @param checkpoint a path without a scheme or with {@code file}
   * @param writers asked before each overwrite; {@link Writers#UNKNOWN} refuses nothing
   * @param probe asked when the checkpoint's directory is made
   */
  public SharedCheckpointFiles(Path checkpoint, Configuration conf, Writers writers, Probe probe)
      throws IOException {
    this(checkpoint, conf, writers, probe, Disk.POSIX);
  }

  SharedCheckpointFiles(
      Path checkpoint, Configuration conf, Writers writers, Probe probe, Disk disk)
      throws IOException {
    this.checkpoint = checkpoint;
    this.files = new LocalFileSystem();
    this.files.initialize(URI.create("file:///"), conf);
    this.probe = probe;
    this.disk = disk;
    this.publishing = new Publishing(disk, writers);
  }

  @Override
  public AtomicOutput create(Path path, boolean overwrite) throws IOException {
    java.nio.file.Path target = onDisk(path);
    String hidden = ".%s.%s.tmp".formatted(target.getFileName(), Chance.uniqueName());
    java.nio.file.Path temporary = target.resolveSibling(hidden);
    SharedOutput.Publisher publisher = overwrite ? publishing::replace : publishing::create;
    try {
      return new SharedOutput(disk, temporary, target, publisher);
    } catch (FileNotFoundException e) {
      disk.makeDirectories(target.getParent());
    }
    try {
      return new SharedOutput(disk, temporary, target, publisher);
    } catch (FileNotFoundException e) {
      // Java reports "not found" for a directory that is closed to this process, and Spark would
      // believe it.
      throw new IOException(
          "%s cannot be written (%s): %s"
              .formatted(path, e.getMessage(), MountCheck.describe(target.getParent())),
          e);
    }
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    try {
      return files.open(path);
    } catch (FileNotFoundException e) {
      if (exists(path)) {
        throw new IOException(path + " exists but cannot be read: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  @Override
  public List<FileStatus> list(Path path) throws IOException {
    if (!exists(path)) {
      return List.of();
    }
    try (Stream<FileStatus> all = Stream.of(files.listStatus(path))) {
      return all.filter(file -> !isTemporary(file.getPath().getName())).toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** Returns true if a file of that name is unfinished: its writer is still writing or has died. */
  public static boolean isTemporary(String name) {
    return TEMPORARY.matcher(name).matches();
  }

  @Override
  public void mkdirs(Path path) throws IOException {
    disk.makeDirectories(onDisk(path));
  }

  @Override
  public boolean exists(Path path) throws IOException {
    try {
      Files.readAttributes(onDisk(path), BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Deletes without a sync. If a loss of power brings the file back, it is deleted again in the
   * same way.
   */
  @Override
  public void delete(Path path) throws IOException {
    if (exists(path) && !files.delete(path, true) && exists(path)) {
      throw new IOException(
          "%s could not be deleted: it is not empty, or its parent directory is closed to this process"
              .formatted(path));
    }
  }

  /**
   * Returns true, as Spark does for {@code file}. This class cannot tell whether other machines
   * mount the filesystem too.
   */
  @Override
  public boolean isLocal() {
    return true;
  }

  /**
   * Makes the directory. Also checks that this process and those that the probe asks can do
   * everything there that a query needs.
   *
   * @throws IOException when a check fails; the message says who owns what and what to change
   */
  @Override
  public Path createCheckpointDirectory() throws IOException {
    MountCheck.require(disk, onDisk(checkpoint));
    Path made = files.makeQualified(checkpoint);
    probe.check(made);
    return made;
  }

  private java.nio.file.Path onDisk(Path path) throws IOException {
    try {
      return files.pathToFile(path).toPath();
    } catch (InvalidPathException e) {
      // java.io.File would replace each such letter by "?", so that many files would have one name.
      throw new IOException(
          "%s has characters that this machine's locale cannot represent. Set LC_ALL=C.UTF-8 for the driver and the executors"
              .formatted(path),
          e);
    }
  }
}
