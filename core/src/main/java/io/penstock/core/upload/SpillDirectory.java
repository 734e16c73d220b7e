/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory for upload buffers. A killed process leaves its buffer files there, and the next
 * process on the same host that uses the directory deletes them. To show that it is alive, each
 * process holds a lock on a lock file until it ends; the names of its buffer files begin with the
 * name of its lock file. Where file locks do not work, nothing is deleted.
 */
final class SpillDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(SpillDirectory.class);
  private static final String LOCK = ".lock";
  private static final String PART = ".part";

  /**
   * The system property with the owners of this JVM's locks, one per line. It is shared with other
   * class loaders that have loaded this class, too.
   */
  private static final String OWN_LOCKS = "io.penstock.spill.locks";

  private final Path directory;
  private final String host;
  private final Optional<Lock> lock;

  /**
   * The lock that shows that this process is alive.
   *
   * @param owner the prefix of the names of the process's buffer files
   * @param channel never closed, because its lock must last until the process ends
   */
  private record Lock(String owner, FileChannel channel) {}

  private SpillDirectory(Path directory, String host, Optional<Lock> lock) {
    this.directory = directory;
    this.host = host;
    this.lock = lock;
  }

  /**
   * Returns the name of this host. A lock may be visible on one host only, so each host deletes
   * only its own files.
   */
  static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.]", ".");
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** Returns the directory for this process and locks it. */
  static SpillDirectory own(Path directory, String host) {
    return new SpillDirectory(directory, host, lock(directory, host));
  }

  private static Optional<Lock> lock(Path directory, String host) {
    FileChannel channel = null;
    Path fresh = null;
    try {
      fresh = Files.createTempFile(directory, "penstock-" + host + "-", ".new");
      String owner = fresh.getFileName().toString().replace(".new", "");
      channel = FileChannel.open(fresh, StandardOpenOption.WRITE);
      if (channel.tryLock() != null) {
        synchronized (System.getProperties()) {
          System.setProperty(OWN_LOCKS, System.getProperty(OWN_LOCKS, "") + owner + "\n");
        }
        // The file is locked before it has the name that other processes look for.
        Files.move(fresh, directory.resolve(owner + LOCK), StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(new Lock(owner, channel));
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug(
          "{}: if this process is killed, its upload buffers will remain on disk: {}",
          directory,
          e.toString());
    }
    close(channel, fresh);
    return Optional.empty();
  }

  private static void close(FileChannel channel, Path fresh) {
    try {
      if (channel != null) {
        channel.close();
      }
      if (fresh != null) {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      LOG.debug("{} is left", fresh, e);
    }
  }

  /** Creates a file for a buffer. */
  Path newFile() throws IOException {
    return Files.createTempFile(directory, lock.map(Lock::owner).orElse("penstock") + "-", PART);
  }

  /** Releases this process's lock on the directory, as the end of the process would. */
  void die() throws IOException {
    if (lock.isPresent()) {
      lock.get().channel().close();
      System.setProperty(
          OWN_LOCKS, System.getProperty(OWN_LOCKS, "").replace(lock.get().owner() + "\n", ""));
    }
  }

  /** Deletes the buffer files that dead processes of this host have left. */
  void sweep() {
    if (lock.isEmpty()) {
      return;
    }
    try {
      List<Path> locks = files("penstock-" + host + "-*" + LOCK);
      // Closing a file that this process has locked would end its lock. The own locks are read
      // after the listing, because an owner is recorded before its lock file has its name.
      Set<String> own = Set.of(System.getProperty(OWN_LOCKS, "").split("\n", -1));
      for (Path file : locks) {
        String owner = file.getFileName().toString().replace(LOCK, "");
        if (!own.contains(owner)) {
          sweep(file, owner);
        }
      }
    } catch (IOException e) {
      LOG.debug(
          "{}: could not look for upload buffers of dead processes: {}", directory, e.toString());
    }
  }

  private void sweep(Path file, String owner) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock free = channel.tryLock()) {
      if (free == null) {
        return;
      }
      int count = 0;
      for (Path part : files(owner + "-*" + PART)) {
        Files.deleteIfExists(part);
        count++;
      }
      Files.deleteIfExists(file);
      if (count > 0) {
        LOG.info("{}: deleted {} upload buffers of a process that died", directory, count);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("{}: its buffers stay: {}", file, e.toString());
    }
  }

  private List<Path> files(String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
      files.forEach(found::add);
    }
    return found;
  }
}
