/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever looks for a message on the page of troubleshooting finds it there word for word. */
class TroubleshootingTest {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  /** Matches paths of what is no source, such as servers that CI has built. */
  private static final Pattern GENERATED = Pattern.compile("/(target|work|\\.work|\\.git)/");

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
          "Can not create a Path from an empty string",
          "Failed to resolve region",
          "amazonaws.com");

  /**
   * Lists messages that no test waits for: the first needs Java 24, the second a Comet, and the
   * third is a line in the log of an executor whose driver is silent.
   */
  private static final Set<String> SEEN_BY_HAND =
      Set.of(
          "getSubject is not supported",
          "Failed to resolve region",
          "amazonaws.com",
          "The driver assigns no request rates now");

  /** A test may wait for a part of a message: for so many words in a row. */
  private static final int WORDS = 4;

  @Test
  void everyMessageIsOneThatTheCodeHas() throws IOException {
    String code = texts("/src/main/", ".java", 500);
    assertThat(messages())
        .filteredOn(piece -> !OF_OTHERS.contains(piece))
        .allSatisfy(piece -> assertThat(code.contains(piece)).as(piece).isTrue());
  }

  /** The script .ci/troubles makes those of Spark and of real stores, tests make the others. */
  @Test
  void everyMessageIsMadeByAFailureInATest() throws IOException {
    String tests =
        texts("/src/test/", ".java", 500) + texts("/bench/", ".py", 50) + texts("/.ci/", "", 10);
    assertThat(messages())
        .filteredOn(piece -> !SEEN_BY_HAND.contains(piece))
        .allSatisfy(piece -> assertThat(isAwaited(piece, tests)).as(piece).isTrue());
  }

  private static boolean isAwaited(String piece, String tests) {
    String[] words = piece.split(" ");
    int length = Math.min(WORDS, words.length);
    return IntStream.rangeClosed(0, words.length - length)
        .mapToObj(from -> String.join(" ", Arrays.copyOfRange(words, from, from + length)))
        .anyMatch(tests::contains);
  }

  /** Returns what the page quotes in its first column, in pieces. */
  private static List<String> messages() throws IOException {
    List<String> rows =
        Files.readAllLines(HOME.resolve("docs/troubleshooting.md")).stream()
            .filter(line -> line.startsWith("|"))
            .skip(2)
            .toList();
    assertThat(rows).hasSizeGreaterThan(40);
    return rows.stream().flatMap(row -> pieces(row.split("\\|", 3)[1]).stream()).toList();
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

  /** Returns the texts of the sources below directories of that name, without this one's. */
  private static String texts(String directory, String ending, int atLeast) throws IOException {
    try (Stream<Path> paths = Files.walk(HOME)) {
      List<Path> sources =
          paths
              .filter(path -> path.toString().endsWith(ending))
              .filter(path -> inHome(path).contains(directory))
              .filter(path -> !GENERATED.matcher(inHome(path)).find())
              .filter(path -> !path.endsWith("TroubleshootingTest.java"))
              .filter(Files::isRegularFile)
              .toList();
      assertThat(sources).hasSizeGreaterThan(atLeast);
      return sources.stream()
          .map(TroubleshootingTest::text)
          .map(text -> JOINED.matcher(text).replaceAll(""))
          .collect(Collectors.joining("\n"));
    }
  }

  private static String inHome(Path path) {
    return "/" + HOME.relativize(path);
  }

  private static String text(Path path) {
    try {
      return Files.readString(path).replace("\\\"", "\"");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
