/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.install;

import io.penstock.core.config.spark.SparkJudge;
import io.penstock.doctor.spark.ConfText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Puts Penstock into an installed Spark, and takes it out again: the jar into {@code jars}, where
 * every process of Spark sees it before it opens a file, and a block of lines at the end of {@code
 * spark-defaults.conf}, which no other tool changes.
 *
 * @param jars the directory of Spark's jars
 * @param defaults the file {@code spark-defaults.conf}, which need not exist
 */
record Installation(Path jars, Path defaults) {
  static final String PLUGIN = "io.penstock.spark.PenstockPlugin";
  private static final String JAR = "penstock-spark.jar";
  private static final String BEGIN = "# penstock install: begin";
  private static final String END = "# penstock install: end";
  private static final String PLUGINS = "spark.plugins";

  /**
   * What an installation or its undoing changes.
   *
   * @param removed jars to remove from Spark's
   * @param added the jar to copy there; null if none is
   * @param text the new text of the defaults' file; null if it stays as it is
   * @param lines what is said of that file
   */
  record Change(List<Path> removed, Path added, String text, List<String> lines) {
    boolean isNothing() {
      return removed.isEmpty() && added == null && text == null;
    }
  }

  /** Plans to install the jar. */
  Change install(Path jar) throws IOException {
    boolean isThere = Files.exists(target()) && Files.mismatch(jar, target()) < 0;
    List<Path> others = new ArrayList<>(ours());
    others.remove(target());
    String old = text();
    String rest = withoutBlock(old);
    List<String> lines = block(rest);
    String separator = rest.isEmpty() || rest.endsWith("\n") ? "" : "\n";
    String wanted = rest + separator + String.join("\n", lines) + "\n";
    boolean isSame = wanted.equals(old);
    return new Change(
        others, isThere ? null : jar, isSame ? null : wanted, isSame ? List.of() : lines);
  }

  /** Plans to take everything out again that {@link #install} puts in. */
  Change undo() throws IOException {
    String old = text();
    String rest = withoutBlock(old);
    boolean isSame = rest.equals(old);
    return new Change(
        ours(),
        null,
        isSame ? null : rest,
        isSame ? List.of() : List.of("without the lines from \"" + BEGIN + "\" on"));
  }

  /** Makes a change. The jar comes before the settings that name its classes, and goes after. */
  void make(Change change) throws IOException {
    if (change.added() != null) {
      Path part = jars.resolve("." + JAR + ".part");
      try {
        Files.copy(change.added(), part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, target(), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    }
    if (change.text() != null) {
      write(change.text());
    }
    for (Path jar : change.removed()) {
      Files.delete(jar);
    }
  }

  Path target() {
    return jars.resolve(JAR);
  }

  /** Replaces the file as a whole, so that it is never half written; it keeps its rights. */
  private void write(String text) throws IOException {
    if (text.isEmpty()) {
      Files.deleteIfExists(defaults); // it was only ours
      return;
    }
    Files.createDirectories(defaults.toAbsolutePath().getParent());
    Path file = Files.exists(defaults) ? defaults.toRealPath() : defaults;
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    try {
      if (Files.exists(file)) {
        Files.copy(
            file, part, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
      }
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Returns the settings in the file with which no application would start once the plugin is on.
   */
  List<SparkJudge.Finding> obstacles() throws IOException {
    Map<String, String> set = ConfText.properties(text());
    SparkJudge judge =
        new SparkJudge(
            name ->
                Optional.ofNullable(set.get(name))
                    .or(() -> Optional.ofNullable(set.get("spark.hadoop." + name))),
            name -> true);
    return Stream.concat(judge.committers().stream(), judge.checkpoints().stream())
        .filter(SparkJudge.Finding::isRefused)
        .toList();
  }

  private List<Path> ours() throws IOException {
    try (Stream<Path> files = Files.list(jars)) {
      return files
          .filter(file -> file.getFileName().toString().matches("penstock-spark.*\\.jar"))
          .sorted()
          .toList();
    }
  }

  private String text() throws IOException {
    return Files.exists(defaults) ? Files.readString(defaults) : "";
  }

  /** Returns the lines that are added, which keep the plugins that the rest of the file names. */
  private List<String> block(String rest) throws IOException {
    List<String> plugins = new ArrayList<>();
    for (String plugin : ConfText.properties(rest).getOrDefault(PLUGINS, "").split(",", -1)) {
      if (!plugin.isBlank() && !plugin.strip().equals(PLUGIN)) {
        plugins.add(plugin.strip());
      }
    }
    plugins.add(0, PLUGIN);
    List<String> lines = new ArrayList<>();
    lines.add(BEGIN);
    lines.add(PLUGINS + " " + String.join(",", plugins));
    for (String scheme : List.of("s3", "s3a")) {
      lines.add("spark.hadoop.fs." + scheme + ".impl io.penstock.hadoop.PenstockFileSystem");
      lines.add(
          "spark.hadoop.fs.AbstractFileSystem." + scheme + ".impl io.penstock.hadoop.PenstockFs");
    }
    lines.add(END);
    return lines;
  }

  private static String withoutBlock(String text) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END, Math.max(0, begin));
    if (begin < 0 || end < 0) {
      return text;
    }
    int after = end + END.length();
    return text.substring(0, begin)
        + text.substring(after < text.length() && text.charAt(after) == '\n' ? after + 1 : after);
  }

  /** Returns the size of a file in MB, to a tenth. */
  static String shownSize(Path file) throws IOException {
    return "%.1f MB".formatted(Files.size(file) / 1e6);
  }
}
