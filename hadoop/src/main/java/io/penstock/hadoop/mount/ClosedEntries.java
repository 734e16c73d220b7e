/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The entries that others left in a directory and that this process cannot use: directories it
 * cannot write in, files it cannot read. Those near the top come first. The number of entries that
 * are looked at is limited.
 */
final class ClosedEntries {
  /** The number of entries in an error. A longer list would not help the user. */
  private static final int NAMED = 5;

  /** No query looks here: 'penstock checkpoint repair', maybe run by root, puts its copies here. */
  private static final String COPIES = "_penstock_repair";

  private final MountIdentity self;
  private final List<Owned> closed = new ArrayList<>();
  private int left;

  ClosedEntries(MountIdentity self, int most) {
    this.self = self;
    this.left = most;
  }

  List<Owned> below(Path directory) throws IOException {
    Queue<Path> directories = new ArrayDeque<>(List.of(directory));
    while (!directories.isEmpty() && left > 0 && closed.size() < NAMED) {
      lookInto(directories.remove(), directories);
    }
    return List.copyOf(closed);
  }

  private void lookInto(Path directory, Queue<Path> directories) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (left-- <= 0 || closed.size() >= NAMED) {
          return;
        }
        look(entry, directories);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private void look(Path entry, Queue<Path> directories) throws IOException {
    if (entry.endsWith(COPIES)) {
      return;
    }
    try {
      Owned owned = Owned.look(entry);
      if (!isOpen(owned, entry)) {
        closed.add(owned);
      } else if (owned.isDirectory()) {
        directories.add(entry);
      }
    } catch (NoSuchFileException e) {
      // Another process has deleted an old entry in the meantime.
    }
  }

  /**
   * Returns true if this process can use the entry. Asks the kernel or the NFS server only if owner
   * and mode do not decide.
   */
  private boolean isOpen(Owned owned, Path entry) {
    if (owned.belongsTo(self) && owned.isOpenToOwner()) {
      return true;
    }
    return owned.isDirectory()
        ? Files.isReadable(entry) && Files.isWritable(entry) && Files.isExecutable(entry)
        : Files.isReadable(entry) || !Files.exists(entry);
  }
}
