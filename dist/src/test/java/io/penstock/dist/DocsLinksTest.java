/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever is sent to a page of the documentation, by a message or another page, finds it. */
class DocsLinksTest {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** In messages and comments: the path from the home directory. */
  private static final Pattern NAMED = Pattern.compile("(docs/[\\w/.-]+\\.md)(?:#([\\w-]+))?");

  /** In pages: the path from the page, which may be the page itself. */
  private static final Pattern LINKED =
      Pattern.compile("]\\((?!\\w+:)([\\w/.-]*)(?:#([\\w-]+))?\\)");

  private static final Pattern HEADING =
      Pattern.compile("^#+ +(.*)$|<a (?:id|name)=\"([^\"]+)\"", Pattern.MULTILINE);

  /** A name of two words or more in code style. */
  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)`");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");

  /** Names of others that pages write in the same style. */
  private static final Set<String> FOREIGN =
      Set.of(
          "AbortIncompleteMultipartUpload",
          "AwsCredentialsProvider",
          "BurstCreditBalance",
          "CheckpointFileManager",
          "CheckpointFileManagerTests",
          "ClientRootAccess",
          "ClientWrite",
          "ExpiredObjectDeleteMarker",
          "FileContext",
          "NoncurrentVersionExpiration",
          "ParquetOutputFormat",
          "PathOutputCommitProtocol",
          "PermittedThroughput",
          "SlowDown",
          "StreamingContext");

  @Test
  void whatMessagesAndCommentsNameIsThere() throws IOException {
    List<String> missing = new ArrayList<>();
    List<Path> sources = files(HOME, ".java", ".py", ".md");
    assertThat(sources).hasSizeGreaterThan(100);
    for (Path source : sources) {
      Matcher names = NAMED.matcher(Files.readString(source));
      while (names.find()) {
        check(source, HOME.resolve(names.group(1)), names.group(2), missing);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void whatPagesLinkToIsThere() throws IOException {
    List<String> missing = new ArrayList<>();
    List<Path> pages = files(HOME, ".md");
    assertThat(pages).hasSizeGreaterThan(5);
    for (Path page : pages) {
      Matcher links = LINKED.matcher(Files.readString(page));
      while (links.find()) {
        Path linked =
            links.group(1).isEmpty() ? page : page.resolveSibling(links.group(1)).normalize();
        check(page, linked, links.group(2), missing);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void classesThatPagesNameExist() throws IOException {
    Set<String> ours = new HashSet<>(FOREIGN);
    List<Path> sources = new ArrayList<>(files(HOME, ".java"));
    sources.addAll(files(HOME.resolve("python"), ".py"));
    for (Path source : sources) {
      Matcher declared = DECLARED.matcher(Files.readString(source));
      while (declared.find()) {
        ours.add(declared.group(1));
      }
    }
    List<String> missing = new ArrayList<>();
    for (Path page : files(HOME.resolve("docs"), ".md")) {
      Matcher names = CLASS.matcher(Files.readString(page));
      while (names.find()) {
        if (!ours.contains(names.group(1))) {
          missing.add(HOME.relativize(page) + ": " + names.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static void check(Path from, Path to, String anchor, List<String> missing)
      throws IOException {
    boolean found =
        anchor == null
            ? Files.exists(to)
            : Files.isRegularFile(to) && anchors(Files.readString(to)).contains(anchor);
    if (!found) {
      String target = HOME.relativize(to) + (anchor == null ? "" : "#" + anchor);
      missing.add(HOME.relativize(from) + " -> " + target);
    }
  }

  private static Set<String> anchors(String page) {
    Set<String> anchors = new HashSet<>();
    Matcher headings = HEADING.matcher(page);
    while (headings.find()) {
      anchors.add(
          headings.group(2) != null
              ? headings.group(2)
              : headings
                  .group(1)
                  .strip()
                  .toLowerCase(Locale.ROOT)
                  .replaceAll("[^\\p{L}\\p{N} _-]", "")
                  .replace(' ', '-'));
    }
    return anchors;
  }

  /** What is ours: not what was built or fetched. */
  private static List<Path> files(Path directory, String... endings) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> inside = Files.list(directory)) {
      for (Path path : inside.toList()) {
        String name = path.getFileName().toString();
        if (Files.isDirectory(path) && !name.startsWith(".") && !name.equals("target")) {
          found.addAll(files(path, endings));
        } else if (Stream.of(endings).anyMatch(name::endsWith)) {
          found.add(path);
        }
      }
    }
    return found;
  }
}
