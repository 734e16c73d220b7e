/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever looks for a message on the page of troubleshooting finds it there word for word. */
class TroubleshootingTest {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  /** Matches what joins two literals to one text: a quote, a plus, and another quote. */
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  /** Lists the messages of Spark, Hadoop, Java, Comet and stores. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "NoSuchBucket (404)",
          "AccessDenied (403)",
          "InvalidPart (400)",
          "NoSuchUpload (404)",
          "getSubject is not supported",
          "receivedBlockMetadata",
          "ClassNotFoundException",
          "PenstockPlugin",
          "S3AFileSystem",
          "Unable to create executor due to io.penstock.spark.PenstockPlugin",
          "No FileSystem for scheme \"s3\"",
          "Log directory specified does not exist",
          "Failed to resolve region",
          "amazonaws.com");

  @Test
  void everyMessageIsOneThatTheCodeHas() throws IOException {
    String code = code();
    List<String> unknown = new ArrayList<>();
    List<String> rows =
        Files.readAllLines(HOME.resolve("docs/troubleshooting.md")).stream()
            .filter(line -> line.startsWith("|"))
            .skip(2)
            .toList();
    assertThat(rows).hasSizeGreaterThan(40);
    for (String row : rows) {
      for (String piece : pieces(row.split("\\|", 3)[1])) {
        if (!OF_OTHERS.contains(piece) && !code.contains(piece)) {
          unknown.add(piece);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** Returns the texts that a cell quotes, in pieces where it leaves something out. */
  private static List<String> pieces(String cell) {
    return QUOTED
        .matcher(cell)
        .results()
        .flatMap(quoted -> Stream.of(quoted.group(1).split("…", -1)))
        .map(String::strip)
        .filter(piece -> piece.length() > 3)
        .toList();
  }

  private static String code() throws IOException {
    try (Stream<Path> paths = Files.walk(HOME)) {
      List<Path> sources =
          paths
              .filter(path -> path.toString().endsWith(".java"))
              .filter(path -> path.toString().contains("/src/main/"))
              .toList();
      assertThat(sources).hasSizeGreaterThan(500);
      return sources.stream()
          .map(TroubleshootingTest::text)
          .map(text -> JOINED.matcher(text).replaceAll(""))
          .collect(Collectors.joining("\n"));
    }
  }

  private static String text(Path path) {
    try {
      return Files.readString(path).replace("\\\"", "\"");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
