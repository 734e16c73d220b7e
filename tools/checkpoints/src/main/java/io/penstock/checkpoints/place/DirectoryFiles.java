/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The files of a checkpoint in a local or mounted directory. Symbolic links inside it are not
 * followed: Spark creates none, and a link could lead anywhere.
 */
public final class DirectoryFiles implements CheckpointPlace {
  private static final int PROGRESS_EVERY = 1000;

  private final Path root;

  public DirectoryFiles(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  @Override
  public String where() {
    return root.toString();
  }

  @Override
  public List<StoredFile> list(String below, LongConsumer progress) throws IOException {
    Path start = root.resolve(below);
    List<StoredFile> files = new ArrayList<>();
    if (!Files.isDirectory(start)) {
      return files;
    }
    Files.walkFileTree(
        start.toRealPath(),
        new SimpleFileVisitor<>() {
          private final Path real = root.toRealPath();

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file(real.relativize(path), attributes));
              if (files.size() % PROGRESS_EVERY == 0) {
                progress.accept(files.size());
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) { // purged by a query that runs
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    progress.accept(files.size());
    return files;
  }

  private static StoredFile file(Path relative, BasicFileAttributes attributes) {
    List<String> names = new ArrayList<>();
    relative.forEach(name -> names.add(name.toString()));
    return new StoredFile(
        String.join("/", names),
        attributes.size(),
        attributes.lastModifiedTime().toInstant(),
        version(attributes));
  }

  private static String version(BasicFileAttributes attributes) {
    return attributes.size() + "-" + attributes.lastModifiedTime() + "-" + attributes.fileKey();
  }

  @Override
  public byte[] read(StoredFile file, long start, int maxBytes) throws IOException {
    Path path = unchanged(file);
    long left = Math.max(0, file.sizeBytes() - start);
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(left, maxBytes));
    try (SeekableByteChannel channel = Files.newByteChannel(path)) {
      channel.position(start);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Reads until the buffer is full, or until the file ends early.
      }
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  @Override
  public void copy(StoredFile file, String to) throws IOException {
    Path target = root.resolve(to);
    Files.createDirectories(target.getParent());
    Files.copy(unchanged(file), target);
    unchanged(file);
  }

  @Override
  public void delete(StoredFile file) throws IOException {
    Files.delete(unchanged(file));
  }

  private Path unchanged(StoredFile file) throws IOException {
    Path path = root.resolve(file.path());
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      if (version(now).equals(file.version())) {
        return path;
      }
    } catch (NoSuchFileException e) {
      FileChangedException changed = new FileChangedException(path.toString());
      changed.initCause(e);
      throw changed;
    }
    throw new FileChangedException(path.toString());
  }

  @Override
  public void close() {}
}
