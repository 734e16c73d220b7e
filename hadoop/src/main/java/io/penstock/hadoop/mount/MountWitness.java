/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import io.penstock.core.chance.Chance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks, in one process, the path where the driver has made a token. */
public final class MountWitness {
  private MountWitness() {}

  /**
   * Writes a probe file below the token if this process sees the token. Otherwise it creates
   * nothing: where the filesystem is not mounted, the path is an ordinary local directory or does
   * not exist. A write that fails is in the result.
   *
   * @throws IOException when even the owner of the directory, or of one above it, cannot be found
   *     out
   */
  public static MountReport look(String directory, String token, String who, String host)
      throws IOException {
    Path meeting = Path.of(directory, token);
    MountIdentity self = MountIdentity.ofThisProcess();
    if (!Files.isDirectory(meeting)) {
      Owned nearest = Owned.look(MountCheck.nearest(Path.of(directory)));
      return new MountReport(who, host, self, false, "", nearest);
    }
    // Like Spark's own directories: one process makes a directory, and others must write in it
    // later.
    Path own = meeting.resolve(Chance.uniqueName());
    try {
      Files.createDirectory(own);
      Disk.Sink file = Disk.POSIX.create(own.resolve("probe"));
      try (file) {
        file.write(1);
        file.sync();
      }
      return new MountReport(who, host, self, true, "", Owned.look(own));
    } catch (IOException e) {
      String reason = MountFailure.of(Step.CREATE, e).reason();
      return new MountReport(who, host, self, true, reason, Owned.look(meeting));
    }
  }
}
