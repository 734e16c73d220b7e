/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A line of an access log, read by a pattern that also bears the odd ones. */
record Parsed(
    String address,
    String requestId,
    String operation,
    String key,
    String uri,
    String status,
    int totalMillis,
    String second,
    int fields,
    String text) {
  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+) +(\\S+) +\\[([^\\]]+)\\] +(\\S+) +(\\S+) +(\\S+) +(\\S+) +(\\S+)"
              + " +(-|\"-\"|\".*?HTTP/[0-9.]+\"|\"[^\"]*\") +(-|\\d{3}) +(\\S+) +(-|\\d+) +(-|\\d+)"
              + " +(-|\\d+) +(-|\\d+) +(-|\".*?\") +(-|\".*?\")( .*)?");

  static Parsed of(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no line of an access log: " + line);
    }
    String rest = matcher.group(18) == null ? "" : matcher.group(18).strip();
    return new Parsed(
        matcher.group(4),
        matcher.group(6),
        matcher.group(7),
        matcher.group(8),
        matcher.group(9),
        matcher.group(10),
        Integer.parseInt(matcher.group(14)),
        matcher.group(3),
        17 + (rest.isEmpty() ? 0 : rest.split(" +").length),
        line);
  }

  static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of all files of an access log, duplicates among them. */
  static List<Parsed> all(Path directory) throws IOException {
    List<Parsed> lines = new ArrayList<>();
    for (Path file : files(directory)) {
      Files.readString(file).lines().map(Parsed::of).forEach(lines::add);
    }
    return lines;
  }
}
