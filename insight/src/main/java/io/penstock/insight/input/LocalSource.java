/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A file on a disk. */
public record LocalSource(Path path, long sizeBytes, String version) implements LogSource {
  /** Looks at a file. */
  public static LocalSource of(Path path) throws IOException {
    return new LocalSource(path, Files.size(path), Files.getLastModifiedTime(path).toString());
  }

  /**
   * All files below a directory, or the one file itself, in the order of their names; without
   * hidden ones, to which the checksums and marks of Hadoop belong.
   */
  public static List<LogSource> below(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(of(path));
    }
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> files =
          all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .filter(file -> !isHidden(path.relativize(file)))
              .sorted()
              .toList();
      List<LogSource> sources = new java.util.ArrayList<>(files.size());
      for (Path file : files) {
        sources.add(of(file));
      }
      return sources;
    }
  }

  private static boolean isHidden(Path relative) {
    for (Path part : relative) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return relative.getFileName().toString().equals("_SUCCESS");
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
