/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory for upload buffers. A process that is killed leaves its files there, and the next one
 * that uses the directory deletes them: each process holds the lock of a file as long as it lives,
 * whose name begins those of its buffers. Where locks do not work, nothing is deleted.
 */
final class SpillDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(SpillDirectory.class);
  private static final String LOCK = ".lock";
  private static final String PART = ".part";
  private static final Pattern LOCKS =
      Pattern.compile("(penstock-([0-9]+)-[0-9]+)" + Pattern.quote(LOCK));
  private static final Map<Path, SpillDirectory> PROCESS = new HashMap<>();

  private final Path directory;
  private final String owner;

  /** Never closed: its lock ends with the process. */
  private final FileChannel lock;

  private SpillDirectory(Path directory, String owner, FileChannel lock) {
    this.directory = directory;
    this.owner = owner;
    this.lock = lock;
  }

  /** Returns the directory, made and tidied up when this process uses it for the first time. */
  static SpillDirectory of(Path directory) throws IOException {
    synchronized (PROCESS) {
      SpillDirectory known = PROCESS.get(directory);
      if (known == null || !Files.isDirectory(directory)) {
        Files.createDirectories(directory);
        known = own(directory, ProcessHandle.current().pid());
        known.sweep();
        PROCESS.put(directory, known);
      }
      return known;
    }
  }

  /** Returns the directory for a process, with its lock. */
  static SpillDirectory own(Path directory, long pid) {
    try {
      Path fresh = Files.createTempFile(directory, "penstock-" + pid + "-", ".new");
      FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE);
      if (channel.tryLock() != null) {
        String owner = fresh.getFileName().toString().replace(".new", "");
        // Locked before anybody looks at it.
        Path file = directory.resolve(owner + LOCK);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        file.toFile().deleteOnExit();
        return new SpillDirectory(directory, owner, channel);
      }
      channel.close();
      Files.delete(fresh);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("{}: buffers of a process that is killed will stay: {}", directory, e.toString());
    }
    return new SpillDirectory(directory, "penstock", null);
  }

  /** Creates a file for a buffer. */
  Path newFile() throws IOException {
    return Files.createTempFile(directory, owner + "-", PART);
  }

  /** Ends this process's part of it, as its death would. */
  void release() throws IOException {
    if (lock != null) {
      lock.close();
    }
  }

  /** Deletes what processes have left that live no more. */
  void sweep() {
    try {
      for (Path file : files("penstock-*" + LOCK)) {
        Matcher name = LOCKS.matcher(file.getFileName().toString());
        // Closing a file that this process has locked would end its lock.
        if (name.matches() && !owner.startsWith("penstock-" + name.group(2) + "-")) {
          sweep(file, name.group(1));
        }
      }
    } catch (IOException e) {
      LOG.debug("{}: left buffers were not looked for: {}", directory, e.toString());
    }
  }

  private void sweep(Path file, String dead) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock free = channel.tryLock()) {
      if (free == null) {
        return;
      }
      int count = 0;
      for (Path part : files(dead + "-*" + PART)) {
        Files.deleteIfExists(part);
        count++;
      }
      Files.deleteIfExists(file);
      if (count > 0) {
        LOG.info("{}: deleted {} upload buffers of a process that died", directory, count);
      }
    } catch (OverlappingFileLockException e) {
      LOG.debug("{} is locked by this process", file);
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
