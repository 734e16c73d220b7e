/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user that a process runs as. The numbers count: NFS compares them. The name is for messages,
 * since it may differ from machine to machine.
 */
public record MountIdentity(int uid, int gid, String user) implements Serializable {
  private static final Path SELF = Path.of("/proc/self");

  static MountIdentity ofThisProcess() throws IOException {
    String user = System.getProperty("user.name", "?");
    if (Files.isDirectory(SELF)) {
      return new MountIdentity(number(SELF, "unix:uid"), number(SELF, "unix:gid"), user);
    }
    Path own = Files.createTempFile("penstock", "");
    try {
      return new MountIdentity(number(own, "unix:uid"), number(own, "unix:gid"), user);
    } finally {
      Files.delete(own);
    }
  }

  private static int number(Path file, String attribute) throws IOException {
    return (Integer) Files.getAttribute(file, attribute);
  }

  boolean isRoot() {
    return uid == 0;
  }

  @Override
  public String toString() {
    return "uid %d, gid %d (%s)".formatted(uid, gid, user);
  }
}
