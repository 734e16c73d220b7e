/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of what runs with what claims no version for CI that CI does not run. */
class SupportPageTest {
  private static final Path HOME = Path.of("..");

  /** A number with a point, or two digits, such as a version of Java. */
  private static final Pattern VERSION =
      Pattern.compile("\\b\\d+\\.\\d+(?:\\.\\d+)*\\b|\\b\\d\\d\\b");

  /** Words in which a row says how it knows. */
  private static final Set<String> WORDS = Set.of("CI", "tried", "refused", "read about");

  private record Row(String what, String how) {}

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(HOME.resolve("docs/support.md")).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.split("(?<!\\\\)\\|", -1))
        .filter(cells -> !cells[3].isBlank() && !cells[3].strip().equals("how"))
        .map(cells -> new Row(cells[2].strip(), cells[3].strip()))
        .toList();
  }

  /** The scripts that CI runs, and the versions that the build uses. */
  private static String ci() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String place :
        List.of(".ci", "bench/parts", "bench/cases", "pom.xml", "spark35/pom.xml")) {
      try (Stream<Path> files = Files.walk(HOME.resolve(place), 1)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          text.append(Files.readString(file, StandardCharsets.ISO_8859_1)).append('\n');
        }
      }
    }
    try (Stream<Path> examples = Files.list(HOME.resolve("examples"))) {
      for (Path script : examples.map(example -> example.resolve("run")).toList()) {
        if (Files.isRegularFile(script)) {
          text.append(Files.readString(script)).append('\n');
        }
      }
    }
    return text.toString();
  }

  @Test
  void everyRowSaysHowItIsKnown() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(20);
    assertThat(rows()).allMatch(row -> WORDS.contains(row.how().replaceAll(" \\(.*", "")));
  }

  @Test
  void everyVersionThatCiRunsIsInWhatCiRuns() throws IOException {
    String ci = ci();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      if (row.how().startsWith("CI")) {
        VERSION
            .matcher(row.what())
            .results()
            .map(found -> found.group())
            .filter(
                version ->
                    !Pattern.compile("\\b" + Pattern.quote(version) + "\\b").matcher(ci).find())
            .forEach(version -> missing.add(row.what() + ": " + version));
      }
    }
    assertThat(missing).isEmpty();
  }
}
