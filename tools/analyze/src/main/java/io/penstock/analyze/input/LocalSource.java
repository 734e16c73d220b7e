/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file on a disk. */
public record LocalSource(Path path, long sizeBytes, String version) implements LogSource {
  /** Looks at a file. */
  public static LocalSource of(Path path) throws IOException {
    return new LocalSource(path, Files.size(path), Files.getLastModifiedTime(path).toString());
  }

  /**
   * All files below a directory, or the one file itself, in the order of their names; without
   * hidden ones, to which the checksums and marks of Hadoop belong. What cannot be read is among
   * them and says so.
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
