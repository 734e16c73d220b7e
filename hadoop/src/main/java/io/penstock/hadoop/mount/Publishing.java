/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import io.penstock.hadoop.checkpoint.Writers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a file its name. The file is complete and on the disk, under a temporary name in the same
 * directory. When a method returns, the name is on the disk too and the temporary name is gone.
 * When a method throws, the file does not have the name, unless the message says otherwise.
 */
final class Publishing {
  private static final Logger LOG = LoggerFactory.getLogger(Publishing.class);

  private final Disk disk;
  private final Writers writers;

  Publishing(Disk disk, Writers writers) {
    this.disk = disk;
    this.writers = writers;
  }

  /** Gives the file the name if the name is free. */
  void create(Path temporary, Path target) throws IOException {
    if (disk.identity(target).isPresent()) {
      throw taken(target, null);
    }
    dropChecksum(target);
    try {
      disk.link(temporary, target);
    } catch (IOException e) {
      if (!isLinked(temporary, target, e)) {
        throw e instanceof java.nio.file.FileAlreadyExistsException ? taken(target, e) : e;
      }
    }
    dropTemporary(temporary);
    syncName(target);
  }

  /**
   * Takes the name from the file that has it. Refuses a run that was overtaken, as far as one read
   * of the claims shows. POSIX has no conditional rename, so a claim between that read and the
   * rename is not seen.
   */
  void replace(Path temporary, Path target) throws IOException {
    if (writers.areOvertaking()) {
      throw new FileAlreadyExistsException(
          "%s is not written: another run has claimed this checkpoint since (%s), so this run (epoch %d) must stop"
              .formatted(target, rival(), writers.ownEpoch()));
    }
    dropChecksum(target);
    Optional<Object> ours = disk.identity(temporary);
    try {
      disk.rename(temporary, target);
    } catch (IOException e) {
      // If the server renamed but its answer was lost, the second attempt finds no file to rename.
      if (!isSame(ours, target, e)) {
        throw e;
      }
    }
    syncName(target);
  }

  /**
   * Returns true if the server linked the file, although it reported that the name is taken or gave
   * no answer. In this case the answer to the first attempt was lost, and the client sent the
   * request again. Either of the two signs is enough, because a client may have an old value of one
   * of them in its cache.
   */
  private boolean isLinked(Path temporary, Path target, IOException failure) {
    try {
      return disk.names(temporary) > 1 || isSame(disk.identity(temporary), target, failure);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private boolean isSame(Optional<Object> ours, Path target, IOException failure) {
    try {
      return ours.isPresent() && ours.equals(disk.identity(target));
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * Deletes the checksum of an earlier file. Spark's manager on Hadoop's FileSystem leaves {@code
   * .NAME.crc} beside a file. The checksum is deleted first: a file without a checksum can be read,
   * but a file with the checksum of another file cannot.
   */
  private void dropChecksum(Path target) throws IOException {
    disk.delete(target.resolveSibling("." + target.getFileName() + ".crc"));
  }

  /**
   * Deletes the temporary name. A failure is only logged: the file is published, and a second,
   * hidden name does no harm.
   */
  private void dropTemporary(Path temporary) {
    try {
      disk.delete(temporary);
    } catch (IOException e) {
      LOG.warn("Could not delete {}, which is only a second name of a complete file", temporary, e);
    }
  }

  private void syncName(Path target) throws IOException {
    try {
      disk.syncDirectory(target.getParent());
    } catch (IOException e) {
      // The file stays: another run may have read it, and a batch must not change after it was
      // read.
      throw new IOException(
          "%s is complete, but could be lost in a power failure, because its directory could not be synced (%s)"
              .formatted(target, e.getMessage()),
          e);
    }
  }

  private IOException taken(Path target, IOException cause) {
    String rival = "not known";
    Exception unknown = null;
    try {
      rival = rival();
    } catch (IOException | RuntimeException e) {
      unknown = e;
    }
    IOException taken =
        new FileAlreadyExistsException(
            "%s already exists. The latest run that claimed this checkpoint is %s. Two runs of a query must not share a checkpoint: stop one of them"
                .formatted(target, rival));
    if (cause != null) {
      taken.initCause(cause);
    }
    if (unknown != null) {
      taken.addSuppressed(unknown);
    }
    return taken;
  }

  private String rival() throws IOException {
    String newest = writers.newest();
    return newest.isEmpty() ? "not known" : newest;
  }
}
