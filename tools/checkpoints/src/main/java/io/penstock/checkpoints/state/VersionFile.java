/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.state;

import io.penstock.checkpoints.log.Numbers;
import io.penstock.checkpoints.place.StoredFile;
import java.util.Optional;

/**
 * A file that brings a state store to a version.
 *
 * @param uniqueId the id of the attempt that wrote the file, in the names of checkpoint format 2
 */
public record VersionFile(Kind kind, long version, Optional<String> uniqueId, StoredFile file) {
  /** The four kinds of such files. */
  public enum Kind {
    DELTA("delta", false),
    SNAPSHOT("snapshot", true),
    CHANGELOG("changelog", false),
    ZIP("zip", true);

    private final String suffix;
    private final boolean whole;

    Kind(String suffix, boolean whole) {
      this.suffix = suffix;
      this.whole = whole;
    }

    String suffix() {
      return suffix;
    }

    /** Returns true if the file contains the whole state, so that no older file is needed. */
    boolean isWhole() {
      return whole;
    }
  }

  /**
   * Returns the parsed name of a file such as {@code 7.delta} or {@code 7_<id>.zip}; empty for
   * others.
   */
  static Optional<VersionFile> of(StoredFile file) {
    String name = file.name();
    for (Kind kind : Kind.values()) {
      if (name.endsWith("." + kind.suffix())) {
        String stem = name.substring(0, name.length() - kind.suffix().length() - 1);
        int underscore = stem.indexOf('_');
        String number = underscore < 0 ? stem : stem.substring(0, underscore);
        Optional<String> id =
            underscore < 0 ? Optional.empty() : Optional.of(stem.substring(underscore + 1));
        return Numbers.batch(number).map(version -> new VersionFile(kind, version, id, file));
      }
    }
    return Optional.empty();
  }
}
