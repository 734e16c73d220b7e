/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.time.Instant;
import java.util.Objects;

/**
 * A file of a checkpoint, as it was listed.
 *
 * @param path below the checkpoint, its parts separated by {@code /}
 * @param version differs when the file was written anew: an ETag, or what comes nearest to one
 */
public record StoredFile(String path, long sizeBytes, Instant modified, String version) {
  public StoredFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(modified, "modified");
    Objects.requireNonNull(version, "version");
  }

  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The path of what it is in, with the {@code /}; empty at the top. */
  public String parent() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
