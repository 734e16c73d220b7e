/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.input.FileFailure;
import io.penstock.analyze.input.LogSource;
import io.penstock.core.time.SystemTime;
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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
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

  /** No run takes that long; one that was killed leaves gigabytes. */
  private static final Duration PART_KEPT = Duration.ofDays(1);

  private static final String SCRATCH = "spill";
  private static final Pattern OURS = Pattern.compile("[0-9a-f]{24}(\\.part-.*)?");
  private static final int REMOVER_TRIES = 100;
  private static final Duration REMOVER_PAUSE = Duration.ofMillis(20);

  private final Path directory;
  // Of this run alone, and gone behind it; the directory itself while that is not whole.
  private final Path own;
  // Where it goes once it is whole; empty when it is there already, or is not to be kept.
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
      Files.setLastModifiedTime(target, FileTime.from(SystemTime.INSTANCE.now()));
    } else {
      deleteOld(root);
    }
    Path own = Files.createTempDirectory(root, fingerprint + PART);
    return isFound
        ? new Cache(target, own, Optional.empty())
        : new Cache(own, own, Optional.of(target));
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

  /** Keeps the file; call it once all is in it that is worth keeping. */
  void keep() {
    isWhole = true;
  }

  /** Returns a place for what is not whole yet and what does not fit in memory. */
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
        // Another run was first with the same logs, or the directory is gone: nothing is lost.
        delete(own);
      }
    } else {
      delete(own);
    }
    try {
      Runtime.getRuntime().removeShutdownHook(remover);
    } catch (IllegalStateException e) {
      // The process ends, and the remover runs.
    }
  }

  private static void deleteOld(Path root) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(root)) {
      entries = all.filter(path -> isOurs(path) && Files.isDirectory(path)).toList();
    }
    FileTime tooOld = FileTime.from(SystemTime.INSTANCE.now().minus(PART_KEPT));
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

  /** The directory is the user's choice, and may hold what is not ours. */
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

  /** The engine may write on while the process ends, into a directory that is being deleted. */
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
      SystemTime.INSTANCE.sleep(REMOVER_PAUSE);
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
