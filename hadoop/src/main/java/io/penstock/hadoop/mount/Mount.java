/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The mount at a path.
 *
 * @param name the source and the type, so that a person recognises the mount
 */
record Mount(String name, boolean readOnly, boolean full) {
  static Mount of(Path path) {
    try {
      FileStore store = Files.getFileStore(path);
      return new Mount(
          "%s (%s)".formatted(store.name(), store.type()),
          store.isReadOnly(),
          store.getTotalSpace() > 0 && store.getUsableSpace() == 0);
    } catch (IOException e) {
      // Some containers hide the table of mounts. The mount only adds details to a message.
      return new Mount("unknown (" + e.getMessage() + ")", false, false);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
