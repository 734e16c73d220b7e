/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import io.penstock.core.chance.Chance;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A token that the driver makes in a checkpoint's directory. Executors look for the token and write
 * below it. Its name is new each time, so that no NFS client has cached that it is missing.
 */
public final class MountToken implements Closeable {
  private final Path directory;
  private final String token;

  private MountToken(Path directory, String token) {
    this.directory = directory;
    this.token = token;
  }

  /**
   * Makes a token in an existing directory.
   *
   * @throws IOException when the token cannot be made
   */
  public static MountToken in(Path directory) throws IOException {
    String token = "_penstock_mount_" + Chance.uniqueName();
    Files.createDirectory(directory.resolve(token));
    return new MountToken(directory, token);
  }

  /** Returns the token's name below the directory. */
  public String token() {
    return token;
  }

  /**
   * Deletes the token and everything that executors wrote below it. Fails if the driver may not
   * delete an entry.
   */
  @Override
  public void close() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(directory.resolve(token))) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }
}
