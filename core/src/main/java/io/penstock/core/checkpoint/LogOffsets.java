/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entries up to which a batch reads the logs of its file sources. Spark's file source keeps a
 * log of the files that it has found; the offset of a batch is the number of the last entry that
 * the batch reads. Entries are only ever added, so no batch ends before the one before it. Spark
 * cannot plan from such a batch: each run that starts from it fails an assertion that has no words.
 *
 * @param entries the last entry of each file source; the key is the name of its log's directory:
 *     the source's name, or its position among all sources if it has no name
 */
public record LogOffsets(Map<String, Long> entries) {
  /** Matches the line of a file source. Spark 4.2 writes the names of sources that have one. */
  private static final Pattern LINE =
      Pattern.compile("(?:([^:/]+):)?\\{\\s*\"logOffset\"\\s*:\\s*(-?[0-9]{1,18})\\s*\\}\\s*");

  /** A line of the version and one of settings come before the sources. */
  private static final int FIRST_SOURCE = 2;

  /** A file source that goes back in its log, from one batch to the next. */
  public record Backward(String source, long from, long to) {
    @Override
    public String toString() {
      return "from entry %d of the log of source %s to entry %d".formatted(from, source, to);
    }
  }

  public LogOffsets {
    entries = Map.copyOf(entries);
  }

  /** Returns what a file of the offset log says; empty entries if it has no file source. */
  public static LogOffsets of(byte[] file) {
    Map<String, Long> entries = new TreeMap<>();
    String[] lines = new String(file, StandardCharsets.UTF_8).split("\n", -1);
    for (int i = FIRST_SOURCE; i < lines.length; i++) {
      Matcher matcher = LINE.matcher(lines[i]);
      if (matcher.matches()) {
        String name = matcher.group(1);
        String source = name == null ? String.valueOf(i - FIRST_SOURCE) : name;
        entries.put(source, Long.parseLong(matcher.group(2)));
      }
    }
    return new LogOffsets(entries);
  }

  /** Returns a source that goes back from the batch before to this one; empty if none does. */
  public Optional<Backward> backwardFrom(LogOffsets before) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .filter(entry -> before.entries.getOrDefault(entry.getKey(), -1L) > entry.getValue())
            .map(
                entry ->
                    new Backward(
                        entry.getKey(), before.entries.get(entry.getKey()), entry.getValue()))
            .findFirst();
  }
}
