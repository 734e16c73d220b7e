/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import io.penstock.loggen.plan.LogForm;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of a set of logs. The set is written to a hidden directory inside it and becomes
 * visible when it is complete.
 */
final class LogDirectory {
  private static final String STAGING = ".penstock-logs.part";

  private final Path directory;
  private final Path staging;
  private final boolean isNew;

  /**
   * Checks that the directory may be used.
   *
   * @param replaces whether the directory may contain an earlier set, and other files beside it
   * @throws IllegalArgumentException when the directory contains something that must not be deleted
   */
  LogDirectory(Path directory, boolean replaces) throws IOException {
    this.directory = directory;
    this.staging = directory.resolve(STAGING);
    this.isNew = Files.notExists(directory);
    if (!isNew && !Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          directory
              + (Files.exists(directory)
                  ? " is a file; name a directory"
                  : " cannot be reached; check the permissions of the directories above it"));
    }
    List<String> names = isNew ? List.of() : names();
    if (!names.isEmpty() && !replaces) {
      throw new IllegalArgumentException(
          directory
              + " is not empty; name another directory, or add --force to replace the logs"
              + " that an earlier run left there");
    }
    if (!names.contains(GroundTruth.NAME) && names.stream().anyMatch(LogDirectory::isOfASet)) {
      throw new IllegalArgumentException(
          directory
              + " has logs that did not come from here (there is no "
              + GroundTruth.NAME
              + "); name another directory");
    }
  }

  /** Returns the names in the directory, without the remains of a run that was killed. */
  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals(STAGING))
          .sorted()
          .toList();
    }
  }

  private static boolean isOfASet(String name) {
    for (LogForm format : LogForm.values()) {
      if (format.toString().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Creates an empty directory to write into. */
  Path stage() throws IOException {
    delete(staging);
    return Files.createDirectories(staging);
  }

  long usableBytes() throws IOException {
    Path existing = directory.toAbsolutePath();
    while (Files.notExists(existing)) {
      existing = existing.getParent();
    }
    return Files.getFileStore(existing).getUsableSpace();
  }

  /** Moves the set to its place. Deletes an earlier set. */
  void publish() throws IOException {
    // The truth file is deleted last and moved last: logs without it are not accepted as an earlier
    // set.
    List<String> names = new ArrayList<>();
    for (LogForm format : LogForm.values()) {
      names.add(format.toString());
    }
    for (String name : names) {
      delete(directory.resolve(name));
    }
    Files.deleteIfExists(directory.resolve(GroundTruth.NAME));
    names.add(GroundTruth.NAME);
    for (String name : names) {
      if (Files.exists(staging.resolve(name))) {
        Files.move(staging.resolve(name), directory.resolve(name));
      }
    }
    delete(staging);
  }

  /** Deletes an incomplete set, and the directory if it was created for this set. */
  void discard() throws IOException {
    delete(staging);
    if (isNew && Files.isDirectory(directory) && names().isEmpty()) {
      Files.delete(directory);
    }
  }

  private static void delete(Path root) throws IOException {
    if (Files.notExists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes any) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
