/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import java.time.Instant;
import java.util.Objects;

/**
 * A file of a checkpoint at the time of the listing.
 *
 * @param path the path below the checkpoint, with {@code /} between its parts
 * @param version changes when the file is rewritten: an ETag, or the closest substitute
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

  /** Returns the path of the file's directory, ending with {@code /}; empty at the top. */
  public String parent() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }
}
