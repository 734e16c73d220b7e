/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A file or directory with its owner and permissions.
 *
 * @param mode the permissions with setuid, setgid and sticky bit, as chmod takes them
 */
public record Owned(String path, boolean isDirectory, int uid, int gid, int mode)
    implements Serializable {
  private static final int PERMISSIONS = 07777;
  private static final int OWNER_ALL = 0700;
  private static final int OWNER_READ = 0400;
  private static final int GROUP_WRITE = 020;
  private static final int OTHERS_WRITE = 02;

  static Owned look(Path path) throws IOException {
    Map<String, Object> facts = Files.readAttributes(path, "unix:uid,gid,mode,isDirectory");
    return new Owned(
        path.toString(),
        (Boolean) facts.get("isDirectory"),
        (Integer) facts.get("uid"),
        (Integer) facts.get("gid"),
        (Integer) facts.get("mode") & PERMISSIONS);
  }

  boolean belongsTo(MountIdentity someone) {
    return uid == someone.uid();
  }

  /**
   * Returns true if the mode allows the owner what a checkpoint needs: all rights in a directory,
   * read access to a file.
   */
  boolean isOpenToOwner() {
    int needed = isDirectory ? OWNER_ALL : OWNER_READ;
    return (mode & needed) == needed;
  }

  /** Returns true if the mode alone allows the other entry's owner to write here. */
  boolean isWritableByOwnerOf(Owned other) {
    return uid == other.uid
        || other.uid == 0
        || (gid == other.gid && (mode & GROUP_WRITE) != 0)
        || (mode & OTHERS_WRITE) != 0;
  }

  @Override
  public String toString() {
    return "%s belongs to uid %d, gid %d, mode %04o".formatted(path, uid, gid, mode);
  }
}
