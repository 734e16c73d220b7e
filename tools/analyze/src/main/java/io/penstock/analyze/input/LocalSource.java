/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A log that is a file on a local disk.
 *
 * @param identity equal for two paths of one file, where they come from the same listing
 */
public record LocalSource(Path path, long sizeBytes, String version, Object identity)
    implements LogSource {
  /** Reads the size and the modification time of a file. */
  public static LocalSource of(Path path) throws IOException {
    return of(path, Files.readAttributes(path, BasicFileAttributes.class));
  }

  static LocalSource of(Path path, BasicFileAttributes attributes) throws IOException {
    String version = Long.toString(attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    // Some file systems have no key.
    Object key = attributes.fileKey();
    return new LocalSource(path, attributes.size(), version, key == null ? path.toRealPath() : key);
  }

  /**
   * Returns all files below a directory, or the given file itself, sorted by name. Hidden files,
   * such as Hadoop's checksums and markers, are left out. Files that cannot be read are included
   * and report the reason.
   */
  public static List<LogSource> below(Path path) throws IOException {
    return Files.isDirectory(path) ? LocalFiles.below(path) : List.of(LocalFiles.of(path));
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public InputStream open(long position) throws IOException {
    FileChannel channel = FileChannel.open(path);
    channel.position(position);
    return Channels.newInputStream(channel);
  }
}
