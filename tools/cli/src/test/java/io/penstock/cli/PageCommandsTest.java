/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** The commands that the pages show are commands that the program understands. */
class PageCommandsTest {
  private static final Path HOME = Path.of("../..");
  private static final String COMMAND = "(?:\\$ )?(?:\\./)?penstock ";
  private static final Pattern BLOCK = Pattern.compile("(?s)```\\w*\n(.*?)```");
  private static final Pattern LINE = Pattern.compile("(?m)^" + COMMAND + "(.*)$");
  private static final Pattern IN_TEXT = Pattern.compile("`" + COMMAND + "([^`]+)`");

  /** After a command: a comment, a description behind spaces, or a file that the output goes to. */
  private static final Pattern REST = Pattern.compile("\\s+#.*| {3,}\\S.*| > \\S+.*");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)");

  /** The words that the launcher handles itself. */
  private static final Pattern OF_LAUNCHER = Pattern.compile("jar\\b.*|help\\b.*|…");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(HOME.resolve("README.md")));
    for (String folder : List.of("docs", "bench/results")) {
      try (Stream<Path> files = Files.list(HOME.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }

  private static Stream<String> inBlocks(String page) {
    return BLOCK
        .matcher(page)
        .results()
        .flatMap(block -> LINE.matcher(block.group(1)).results())
        .map(found -> REST.matcher(found.group(1)).replaceFirst(""));
  }

  private static Stream<String> inText(String page) {
    return IN_TEXT.matcher(page).results().map(found -> found.group(1));
  }

  private static String[] words(String command) {
    return WORD.matcher(command)
        .results()
        .map(PageCommandsTest::word)
        .filter(word -> !word.isEmpty())
        .toArray(String[]::new);
  }

  private static String word(MatchResult found) {
    for (int group = 1; group < 3; group++) {
      if (found.group(group) != null) {
        return found.group(group);
      }
    }
    return found.group(3);
  }

  /**
   * Returns what is wrong with a command; empty if it is understood.
   *
   * @param isWhole whether all is there that the command needs, unlike where a sentence names it
   */
  private static Optional<String> wrong(String command, boolean isWhole) {
    String plain = command.replace("…", "").strip();
    if (plain.isEmpty() || OF_LAUNCHER.matcher(plain).matches()) {
      return Optional.empty();
    }
    try {
      Main.commandLine().parseArgs(words(plain));
      return Optional.empty();
    } catch (MissingParameterException e) {
      return isWhole ? Optional.of(plain + ": " + e.getMessage()) : Optional.empty();
    } catch (ParameterException e) {
      return Optional.of(plain + ": " + e.getMessage());
    }
  }

  @Test
  void everyCommandOnAPageIsUnderstood() throws IOException {
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (Path page : pages()) {
      String text = Files.readString(page);
      List<String> whole = inBlocks(text).toList();
      List<String> named = inText(text).toList();
      whole.forEach(command -> wrong(command, true).ifPresent(wrong::add));
      named.forEach(command -> wrong(command, false).ifPresent(wrong::add));
      count += whole.size() + named.size();
    }
    assertThat(wrong).isEmpty();
    assertThat(count).isGreaterThan(150);
  }
}
