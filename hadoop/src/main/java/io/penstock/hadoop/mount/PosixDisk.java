/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Publishes files with the operating system's own calls. */
final class PosixDisk implements Disk {
  @Override
  public Sink create(Path file) throws IOException {
    // This is no channel, because an interrupt would close a channel in the middle of a write.
    return new FileSink(new FileOutputStream(file.toFile()));
  }

  @Override
  public void link(Path file, Path name) throws IOException {
    Files.createLink(name, file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void makeDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      makeDirectories(parent);
    }
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  /**
   * Syncs a directory. Only a channel can do so, and an interrupt closes a channel. The file
   * already has its name at this point, so the interrupt must wait.
   */
  @Override
  public void syncDirectory(Path directory) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Optional<Object> identity(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return Optional.ofNullable(attributes.fileKey());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public int names(Path file) throws IOException {
    try {
      return (Integer) Files.getAttribute(file, "unix:nlink");
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private static final class FileSink extends Sink {
    private final FileOutputStream file;

    FileSink(FileOutputStream file) {
      this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
      file.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      file.write(bytes, from, count);
    }

    @Override
    public void sync() throws IOException {
      file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
