/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out which files are one event log. Spark writes a log as one file, or as a directory {@code
 * eventlog_v2_APP} of files {@code events_N_APP}, of which those up to a number may have been
 * replaced by one that ends with {@code .compact}.
 *
 * @param name of the directory, or of the only file
 * @param paths in the order in which they are to be read
 */
public record EventLogParts(String name, List<String> paths) {
  private static final Pattern PART =
      Pattern.compile("((?:.*/)?eventlog_v2_[^/]*)/events_(\\d{1,15})_([^/]*)");

  /** A file of a directory. */
  private record Part(long number, boolean isCompact, String path) {}

  public EventLogParts {
    paths = List.copyOf(paths);
  }

  /**
   * Returns true if a file is part of a directory, whatever is in it: a part may begin with any
   * event.
   */
  public static boolean isPart(String path) {
    return PART.matcher(path).matches();
  }

  /** Puts files together; what is in no such directory is a log of its own. */
  public static List<EventLogParts> of(Collection<String> paths) {
    List<EventLogParts> logs = new ArrayList<>();
    TreeMap<String, List<Part>> directories = new TreeMap<>();
    for (String path : paths) {
      Matcher part = PART.matcher(path);
      if (part.matches()) {
        boolean isCompact = part.group(3).endsWith(".compact");
        directories
            .computeIfAbsent(part.group(1), key -> new ArrayList<>())
            .add(new Part(Long.parseLong(part.group(2)), isCompact, path));
      } else {
        logs.add(new EventLogParts(fileName(path), List.of(path)));
      }
    }
    directories.forEach(
        (directory, parts) -> logs.add(new EventLogParts(fileName(directory), ordered(parts))));
    return logs;
  }

  private static List<String> ordered(List<Part> parts) {
    long compacted =
        parts.stream().filter(Part::isCompact).mapToLong(Part::number).max().orElse(-1);
    return parts.stream()
        // What was compacted is removed only afterwards, and may still be there.
        .filter(part -> part.number > compacted || (part.isCompact && part.number == compacted))
        .sorted(Comparator.comparingLong(Part::number).thenComparing(Part::path))
        .map(Part::path)
        .toList();
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
