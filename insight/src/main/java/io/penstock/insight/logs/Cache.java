/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.logs;

import io.penstock.core.time.SystemTime;
import io.penstock.insight.input.LogSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory for what was read of some logs: of the same files, unchanged, the same one. What is
 * not yet whole stands under another name, so that a run that was broken off leaves nothing to be
 * taken for it. Only the newest few are kept.
 */
final class Cache implements AutoCloseable {
  /** Changes with the columns and with what the parsers make of a log. */
  private static final String VERSION = "2";

  private static final int KEPT = 5;
  private static final String PART = ".part-";
  // No run takes that long; one that was killed leaves gigabytes.
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final Path directory;
  // Where it goes once it is whole; empty when it is there already, or is not to be kept.
  private final Optional<Path> target;
  private final boolean isFound;
  private final Thread remover;
  private boolean isWhole;

  private Cache(Path directory, Optional<Path> target, boolean isFound) {
    this.directory = directory;
    this.target = target;
    this.isFound = isFound;
    this.remover = new Thread(() -> deleteQuietly(directory), "penstock-cache-remover");
  }

  static Cache open(Optional<Path> root, List<LogSource> sources) throws IOException {
    if (root.isEmpty()) {
      return unfinished(Files.createTempDirectory("penstock-"), Optional.empty());
    }
    Path target = root.get().resolve(fingerprint(sources));
    if (Files.isDirectory(target)) {
      Files.setLastModifiedTime(target, FileTime.from(SystemTime.INSTANCE.now()));
      return new Cache(target, Optional.empty(), true);
    }
    Files.createDirectories(root.get());
    deleteOld(root.get());
    String name = target.getFileName() + PART;
    return unfinished(Files.createTempDirectory(root.get(), name), Optional.of(target));
  }

  private static Cache unfinished(Path directory, Optional<Path> target) {
    Cache cache = new Cache(directory, target, false);
    Runtime.getRuntime().addShutdownHook(cache.remover);
    return cache;
  }

  /** The content of files that have the same name, size and time is taken to be the same. */
  private static String fingerprint(List<LogSource> sources) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(VERSION.getBytes(StandardCharsets.UTF_8));
      for (LogSource source : sources) {
        String line = source.name() + "\n" + source.sizeBytes() + "\n" + source.version() + "\n";
        sha.update(line.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(sha.digest(), 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  Path directory() {
    return directory;
  }

  /** To be called once all is in it that is worth keeping. */
  void keep() {
    isWhole = true;
  }

  @Override
  public void close() throws IOException {
    if (isFound) {
      return;
    }
    if (isWhole && target.isPresent()) {
      try {
        Files.move(directory, target.get(), StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException
          | java.nio.file.FileAlreadyExistsException
          | java.nio.file.DirectoryNotEmptyException e) {
        // Another run was first with the same logs.
        delete(directory);
      }
    } else {
      delete(directory);
    }
    Runtime.getRuntime().removeShutdownHook(remover);
  }

  private static void deleteOld(Path root) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(root)) {
      entries =
          all.filter(Files::isDirectory)
              .sorted(Comparator.comparing(Cache::modified).reversed())
              .toList();
    }
    List<Path> whole = entries.stream().filter(path -> !isPart(path)).toList();
    for (Path old : whole.subList(Math.min(KEPT - 1, whole.size()), whole.size())) {
      delete(old);
    }
    FileTime abandoned = FileTime.from(SystemTime.INSTANCE.now().minus(ABANDONED));
    for (Path part : entries) {
      if (isPart(part) && modified(part).compareTo(abandoned) < 0) {
        delete(part);
      }
    }
  }

  private static boolean isPart(Path path) {
    return path.getFileName().toString().contains(PART);
  }

  private static FileTime modified(Path path) {
    try {
      return Files.getLastModifiedTime(path);
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }

  private static void deleteQuietly(Path directory) {
    try {
      delete(directory);
    } catch (IOException e) {
      // The process ends; the next run that reads logs finds no name that it would take.
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
