/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.plan;

import java.util.List;
import org.apache.hadoop.fs.Path;

/**
 * What a write does with the data that is at its output. Spark tells a commit protocol only which
 * directories to delete, and only those that exist when the job starts. So two overwrites of a path
 * that does not exist would look like two appends. The mode comes from the plan of the running
 * query instead, see {@link RunningWrite}.
 *
 * @param mode the save mode as it applies to this write
 * @param directories for {@link Mode#OVERWRITE}, all directories that Spark would delete if they
 *     existed; for {@link Mode#ERROR_IF_EXISTS} and {@link Mode#IGNORE}, those that must be empty.
 *     They may be on other file systems. A dynamic overwrite has none
 */
public record SaveModes(Mode mode, List<Path> directories) {
  /** The save modes of Spark. */
  public enum Mode {
    /** Adds to what is there. */
    APPEND,
    /** Replaces what is there. */
    OVERWRITE,
    /** Fails if anything is there. */
    ERROR_IF_EXISTS,
    /** Writes nothing if anything is there. */
    IGNORE,
    /** The plan did not tell. The write is an overwrite of the directories that Spark deletes. */
    UNKNOWN;

    /** Returns true if Spark looks at the output before the job, and the job depends on it. */
    public boolean needsAbsence() {
      return this == ERROR_IF_EXISTS || this == IGNORE;
    }
  }

  /**
   * The outcome of Spark's own look at the location of a table that the write creates.
   *
   * @see RunningWrite
   */
  enum NewTable {
    /** The write creates no table, or replaces one. */
    NONE,
    /** Spark has refused a location that is not empty. */
    AT_EMPTY_LOCATION,
    /** Spark replaces whatever is at the location. */
    AT_ANY_LOCATION
  }

  public SaveModes {
    directories = List.copyOf(directories);
  }

  public static SaveModes unknown() {
    return new SaveModes(Mode.UNKNOWN, List.of());
  }

  /**
   * Decides the mode. Spark writes the data of a new table in the mode Overwrite, although it has
   * refused a location that is not empty. Of two such writes, the second must fail.
   *
   * @param command the mode of Spark's command for the write
   * @param isOnlyIfNew whether it is an INSERT OVERWRITE … IF NOT EXISTS
   */
  static Mode decide(
      org.apache.spark.sql.SaveMode command, NewTable newTable, boolean isOnlyIfNew) {
    return switch (command) {
      case Append -> Mode.APPEND;
      case Overwrite -> {
        if (newTable == NewTable.AT_EMPTY_LOCATION) {
          yield Mode.ERROR_IF_EXISTS;
        }
        yield isOnlyIfNew ? Mode.IGNORE : Mode.OVERWRITE;
      }
      case ErrorIfExists -> Mode.ERROR_IF_EXISTS;
      case Ignore -> Mode.IGNORE;
    };
  }
}
