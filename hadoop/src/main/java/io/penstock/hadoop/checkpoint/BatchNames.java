/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/** Interprets the names in a checkpoint of Structured Streaming. */
public final class BatchNames {
  /**
   * Matches a batch or version number, the unique id that newer state stores add, and the kind of
   * file.
   */
  private static final Pattern NUMBERED =
      Pattern.compile("([0-9]{1,18})(?:_[0-9A-Za-z_-]+)?(?:\\.([A-Za-z]+(?:\\.crc)?))?");

  private static final Pattern FILE =
      Pattern.compile(".+\\.(delta|snapshot|zip|changelog|compact|crc|sst|log|tmp)");

  /** The name of a file sink's log. This log is beside the sink's data and not in a checkpoint. */
  public static final String SINK_LOG = "_spark_metadata";

  /** The name of the log that says what each batch reads. */
  public static final String OFFSETS = "offsets";

  private static final Set<String> LOGS = Set.of(OFFSETS, "commits", SINK_LOG);

  /** The name of the directory that has a log for each source. */
  public static final String SOURCES = "sources";

  private BatchNames() {}

  /** Returns true if the directory is one of the logs that have one file for each batch. */
  static boolean isLog(Path directory) {
    return LOGS.contains(directory.getName())
        || (directory.getParent() != null && directory.getParent().getName().equals(SOURCES));
  }

  /** Returns true if only a file, and no directory, can have this name. */
  static boolean isFile(Path path) {
    String name = path.getName();
    if (FILE.matcher(name).matches()) {
      return true;
    }
    return path.getParent() != null && isLog(path.getParent()) && NUMBERED.matcher(name).matches();
  }

  /**
   * Returns true if another executor may have written the snapshot. RocksDB checks which of its two
   * kinds of snapshot exists.
   */
  static boolean isSharedSnapshot(Path path) {
    return path.getName().contains("_") && path.getName().endsWith(".zip");
  }

  /** Returns the batch or version number in a name; -1 if there is none. */
  static long number(String name) {
    Matcher matcher = NUMBERED.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  /**
   * Returns a name for the sequence that a numbered file belongs to: all files of its kind in its
   * directory. For example, the deltas of one partition are one sequence. A compacted batch belongs
   * to the same sequence as the other batches of its log.
   */
  static String sequence(Path path) {
    Matcher matcher = NUMBERED.matcher(path.getName());
    String kind = matcher.matches() && matcher.group(2) != null ? matcher.group(2) : "";
    return path.getParent() + "/*" + (kind.equals("compact") ? "" : kind);
  }

  /** Returns true if the path is the directory or is inside it, at any depth. */
  public static boolean isInside(Path path, Path directory) {
    for (Path at = path; at != null; at = at.getParent()) {
      if (at.equals(directory)) {
        return true;
      }
    }
    return false;
  }
}
