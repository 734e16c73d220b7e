/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.input.FileFailure;
import io.penstock.analyze.input.LogSource;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.Time;
import io.penstock.tables.bytes.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory that keeps the data read from logs. If a later run reads the same files, and they are
 * unchanged, it uses the same directory again. Incomplete data is written under another name, so
 * that later runs never use the remains of an interrupted run. Only the newest few directories are
 * kept.
 */
final class Cache implements AutoCloseable {
  /**
   * The version of the cached data. It changes when the columns or the results of the parsers
   * change.
   */
  private static final String VERSION = "9";

  /** Compared with the times of files, which are of the same clock. */
  private static final Time TIME = SystemTime.INSTANCE;

  private static final int KEPT = 5;
  private static final String PART = ".part-";

  /**
   * The age at which incomplete directories are deleted. No run takes that long, and a killed run
   * leaves gigabytes.
   */
  private static final Duration PART_KEPT = Duration.ofDays(1);

  private static final String SCRATCH = "spill";
  private static final Pattern OURS = Pattern.compile("[0-9a-f]{24}(\\.part-.*)?");
  private static final int REMOVER_TRIES = 100;
  private static final Duration REMOVER_PAUSE = Duration.ofMillis(20);

  private final Path directory;
  // The directory of this run alone, deleted at the end; also the data itself until it is complete.
  private final Path own;
  // The final directory of the complete data; empty when it already exists or nothing is to be
  // kept.
  private final Optional<Path> target;
  private final Thread remover;
  private boolean isWhole;

  private Cache(Path directory, Path own, Optional<Path> target) {
    this.directory = directory;
    this.own = own;
    this.target = target;
    this.remover = new Thread(() -> deleteSurely(own), "penstock-cache-remover");
    Runtime.getRuntime().addShutdownHook(remover);
  }

  static Cache open(Optional<Path> root, List<LogSource> sources) throws IOException {
    if (root.isEmpty()) {
      Path own = Files.createTempDirectory("penstock-");
      return new Cache(own, own, Optional.empty());
    }
    try {
      return open(root.get(), fingerprint(sources));
    } catch (FileSystemException e) {
      throw new IOException(
          "the cache %s cannot be used (%s); name another directory with --cache, or add --no-cache"
              .formatted(root.get(), FileFailure.why(e)),
          e);
    }
  }

  private static Cache open(Path root, String fingerprint) throws IOException {
    Path target = root.resolve(fingerprint);
    Files.createDirectories(root);
    boolean isFound = Files.isDirectory(target);
    if (isFound) {
      Files.setLastModifiedTime(target, FileTime.from(TIME.now()));
    } else {
      deleteOld(root);
    }
    Path own = Files.createTempDirectory(root, fingerprint + PART);
    return isFound
        ? new Cache(target, own, Optional.empty())
        : new Cache(own, own, Optional.of(target));
  }

  /**
   * Returns the key of the cached data. Files with the same name, size and modification time are
   * assumed to have the same content.
   */
  private static String fingerprint(List<LogSource> sources) {
    StringBuilder text = new StringBuilder(VERSION);
    for (LogSource source : sources) {
      text.append(source.name()).append('\n').append(source.sizeBytes()).append('\n');
      text.append(source.version()).append('\n');
    }
    byte[] hash = Sha256.of(text.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, 12);
  }

  Path directory() {
    return directory;
  }

  /** Keeps the data. Call this method when the data is complete. */
  void keep() {
    isWhole = true;
  }

  /** Returns a directory for incomplete data and for data that does not fit in memory. */
  Path scratch() {
    return own.resolve(SCRATCH);
  }

  @Override
  public void close() throws IOException {
    if (isWhole && target.isPresent()) {
      delete(scratch());
      try {
        Files.move(own, target.get(), StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        // Another run stored the same logs first, or the directory is gone. No data is lost.
        delete(own);
      }
    } else {
      delete(own);
    }
    try {
      Runtime.getRuntime().removeShutdownHook(remover);
    } catch (IllegalStateException e) {
      // The JVM is already shutting down, so the shutdown hook runs.
    }
  }

  private static void deleteOld(Path root) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(root)) {
      entries = all.filter(path -> isOurs(path) && Files.isDirectory(path)).toList();
    }
    FileTime tooOld = FileTime.from(TIME.now().minus(PART_KEPT));
    List<Path> whole = new ArrayList<>();
    for (Path entry : entries) {
      if (!entry.getFileName().toString().contains(PART)) {
        whole.add(entry);
      } else if (modified(entry).compareTo(tooOld) < 0) {
        delete(entry);
      }
    }
    whole.sort(Comparator.comparing(Cache::modified).reversed());
    for (Path old : whole.subList(Math.min(KEPT - 1, whole.size()), whole.size())) {
      delete(old);
    }
  }

  /**
   * Returns true if the cache created the path. The user chooses the directory, so it may contain
   * other files.
   */
  private static boolean isOurs(Path path) {
    return OURS.matcher(path.getFileName().toString()).matches();
  }

  private static FileTime modified(Path path) {
    try {
      return Files.getLastModifiedTime(path);
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }

  /**
   * Deletes a directory, with several tries: the engine may still write into it while the process
   * ends.
   */
  private static void deleteSurely(Path directory) {
    for (int i = 0; i < REMOVER_TRIES && Files.exists(directory); i++) {
      try {
        delete(directory);
      } catch (IOException e) {
        if (!isPauseOver()) {
          return;
        }
      }
    }
  }

  private static boolean isPauseOver() {
    try {
      TIME.sleep(REMOVER_PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path path, IOException failure)
              throws IOException {
            Files.delete(path);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
