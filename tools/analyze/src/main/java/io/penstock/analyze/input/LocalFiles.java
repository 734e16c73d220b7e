/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects the files below a directory. Links to files are followed, because Kubernetes uses such
 * links for a node's logs. Links to directories are not followed, because they may lead anywhere.
 */
final class LocalFiles extends SimpleFileVisitor<Path> {
  private static final Set<String> MARKERS = Set.of("_SUCCESS", "truth.json");

  private static final String NOT_REGULAR = "it is a pipe, a socket or a device";

  private final Path root;
  // The directory as the user wrote it.
  private final Path shown;
  private final Map<Path, LogSource> sources = new HashMap<>();

  private LocalFiles(Path root, Path shown) {
    this.root = root;
    this.shown = shown;
  }

  static List<LogSource> below(Path directory) throws IOException {
    Path root = directory.toRealPath();
    LocalFiles files = new LocalFiles(root, directory);
    Files.walkFileTree(root, files);
    return files.sources.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Returns a source for the file, or one that says why the file cannot be read. */
  static LogSource of(Path file) {
    try {
      return of(file, Files.readAttributes(file, BasicFileAttributes.class));
    } catch (IOException e) {
      boolean isLink = Files.isSymbolicLink(file);
      return new UnreadableSource(file, isLink ? "it is a link to nothing" : why(e));
    }
  }

  private static LogSource of(Path file, BasicFileAttributes attributes) {
    try {
      if (attributes.isDirectory()) {
        return new UnreadableSource(file, "it is a link to a directory; name that, too");
      } else if (!attributes.isRegularFile()) {
        return new UnreadableSource(file, NOT_REGULAR);
      } else if (!Files.isReadable(file)) {
        return new UnreadableSource(file, "permission denied");
      }
      return LocalSource.of(file, attributes);
    } catch (IOException e) {
      return new UnreadableSource(file, why(e));
    }
  }

  private static String why(IOException failure) {
    return failure instanceof FileSystemException file
        ? FileFailure.why(file)
        : String.valueOf(failure.getMessage());
  }

  private Path shown(Path path) {
    if (shown.equals(root)) {
      return path;
    }
    return path.equals(root) ? shown : shown.resolve(root.relativize(path));
  }

  @Override
  public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
    return !path.equals(root) && isHidden(path)
        ? FileVisitResult.SKIP_SUBTREE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
    if (!isHidden(path)) {
      Path file = shown(path);
      sources.put(file, attributes.isSymbolicLink() ? of(file) : of(file, attributes));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path path, IOException failure) {
    Path file = shown(path);
    sources.put(file, new UnreadableSource(file, why(failure)));
    return FileVisitResult.CONTINUE;
  }

  /**
   * Returns true for hidden files, such as Hadoop's checksums, and for markers, such as Spark's of
   * a rolled event log and what {@code penstock logs generate} writes beside its logs.
   */
  private static boolean isHidden(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(".") || name.startsWith("appstatus_") || MARKERS.contains(name);
  }
}
