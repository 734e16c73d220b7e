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
 * The files of one event log. Spark writes a log as a single file, or as a directory {@code
 * eventlog_v2_APP} of files {@code events_N_APP}. In a directory, the files up to some number may
 * have been replaced by one file that ends with {@code .compact}.
 *
 * @param name the name of the directory or of the single file
 * @param paths the files in reading order
 */
public record EventLogParts(String name, List<String> paths) {
  /** Stands behind each date. */
  private static final String NEWEST = "~";

  private static final Pattern PART =
      Pattern.compile("((?:.*/)?eventlog_v2_[^/]*)/events_(\\d{1,15})_([^/]*)");

  // Databricks: eventlog-2021-06-15--15-00.gz for what is rolled, and eventlog for the newest.
  private static final Pattern OF_DATABRICKS =
      Pattern.compile("((?:.*/)?eventlog)(-\\d{4}-\\d{2}-\\d{2}--\\d{2}-\\d{2})?(?:\\.\\w{1,8})?");

  /** One file of an event log directory. */
  private record Part(long number, boolean isCompact, String path) {}

  public EventLogParts {
    paths = List.copyOf(paths);
  }

  private EventLogParts(String name, Collection<String> paths) {
    this(name, List.copyOf(paths));
  }

  /**
   * Returns true if a file's path shows that it is part of an event log directory. The content is
   * not checked, because a part may begin with any event.
   */
  public static boolean isPart(String path) {
    return PART.matcher(path).matches();
  }

  /** Groups files into event logs. A file outside such a directory is a log of its own. */
  public static List<EventLogParts> of(Collection<String> paths) {
    List<EventLogParts> logs = new ArrayList<>();
    TreeMap<String, List<Part>> directories = new TreeMap<>();
    TreeMap<String, TreeMap<String, String>> dated = new TreeMap<>();
    for (String path : paths) {
      Matcher part = PART.matcher(path);
      if (part.matches()) {
        boolean isCompact = part.group(3).endsWith(".compact");
        directories
            .computeIfAbsent(part.group(1), key -> new ArrayList<>())
            .add(new Part(Long.parseLong(part.group(2)), isCompact, path));
        continue;
      }
      Matcher rolled = OF_DATABRICKS.matcher(path);
      if (rolled.matches()) {
        String date = rolled.group(2) == null ? NEWEST : rolled.group(2);
        dated.computeIfAbsent(rolled.group(1), key -> new TreeMap<>()).put(date + " " + path, path);
      } else {
        logs.add(new EventLogParts(fileName(path), List.of(path)));
      }
    }
    dated.forEach((log, parts) -> logs.add(new EventLogParts(fileName(log), parts.values())));
    directories.forEach(
        (directory, parts) -> logs.add(new EventLogParts(fileName(directory), ordered(parts))));
    return logs;
  }

  private static List<String> ordered(List<Part> parts) {
    long compacted =
        parts.stream().filter(Part::isCompact).mapToLong(Part::number).max().orElse(-1);
    return parts.stream()
        // Spark removes compacted files only later, so they may still exist.
        .filter(part -> part.number > compacted || (part.isCompact && part.number == compacted))
        .sorted(Comparator.comparingLong(Part::number).thenComparing(Part::path))
        .map(Part::path)
        .toList();
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
