/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.install;

import io.penstock.core.config.spark.SparkJudge;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.Verdict;
import io.penstock.doctor.spark.ConfText;
import io.penstock.doctor.spark.Given;
import io.penstock.doctor.spark.Job;
import io.penstock.doctor.spark.PenstockSettingsCheck;
import io.penstock.doctor.spark.PenstockView;
import io.penstock.doctor.spark.SparkHome;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
   * @param added the jar to copy there
   * @param text the new text of the defaults' file; empty if the file stays as it is
   * @param lines what is said of that file
   */
  record Change(
      List<Path> removed, Optional<Path> added, Optional<String> text, List<String> lines) {
    boolean isNothing() {
      return removed.isEmpty() && added.isEmpty() && text.isEmpty();
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
    if (ConfText.isOpen(rest)) {
      throw new IOException(
          defaults + " ends with a line that a backslash continues: complete that line first");
    }
    String separator = rest.isEmpty() || rest.endsWith("\n") ? "" : "\n";
    String wanted = rest + separator + String.join("\n", lines) + "\n";
    return new Change(
        others,
        isThere ? Optional.empty() : Optional.of(jar),
        Optional.of(wanted).filter(text -> !text.equals(old)),
        lines);
  }

  /** Plans to take everything out again that {@link #install} puts in. */
  Change undo() throws IOException {
    String old = text();
    String rest = withoutBlock(old);
    return new Change(
        ours(),
        Optional.empty(),
        Optional.of(rest).filter(text -> !text.equals(old)),
        List.of("without the lines from '" + BEGIN + "' to '" + END + "'"));
  }

  /** Makes a change. The jar comes before the settings that name its classes, and goes after. */
  void make(Change change) throws IOException {
    if (change.added().isPresent()) {
      copy(change.added().get());
    }
    if (change.text().isPresent()) {
      write(change.text().get());
      deleteIfEmpty();
    }
    for (Path jar : change.removed()) {
      Files.delete(jar);
    }
  }

  private void copy(Path jar) throws IOException {
    Path part = jars.resolve("." + JAR + ".part");
    try {
      Files.copy(jar, part, StandardCopyOption.REPLACE_EXISTING);
      readableAsSparksJars(part);
      Files.move(part, target(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  Path target() {
    return jars.resolve(JAR);
  }

  /** Deletes the file if nothing is in it any more, which Penstock has put there alone. */
  private void deleteIfEmpty() throws IOException {
    if (Files.isRegularFile(defaults, LinkOption.NOFOLLOW_LINKS) && Files.size(defaults) == 0) {
      Files.delete(defaults);
    }
  }

  /** Replaces the file as a whole, so that it is never half written; it keeps its rights. */
  private void write(String text) throws IOException {
    Files.createDirectories(defaults.toAbsolutePath().getParent());
    Path file = Files.exists(defaults) ? defaults.toRealPath() : defaults;
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    try {
      if (Files.exists(file)) {
        Files.copy(
            file, part, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(part, text);
      } else {
        Files.writeString(part, text);
        readableAsSparksJars(part);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Gives a file the rights of Spark's own jars: whoever may run that Spark must read it. */
  private void readableAsSparksJars(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try (Stream<Path> all = Files.list(jars)) {
      Path model =
          all.filter(jar -> jar.getFileName().toString().startsWith("spark-core_"))
              .findFirst()
              .orElseThrow();
      Set<PosixFilePermission> rights = Files.getPosixFilePermissions(model);
      rights.add(PosixFilePermission.OWNER_WRITE);
      Files.setPosixFilePermissions(file, rights);
    }
  }

  /**
   * Returns why no application would start once the plugin is on; empty if nothing stops them.
   *
   * @param spark the Spark, whose release counts
   * @param penstock what Penstock says of settings
   */
  Optional<String> obstacle(SparkHome spark, PenstockView penstock) throws IOException {
    if (spark.isOlderThan(3, 5)) {
      return Optional.of("Penstock needs Spark 3.5 or later");
    }
    Given given = Given.ofSpark(ConfText.properties(text()));
    Job job = new Job(given, Optional.of(spark)).withPlugin();
    Stream<String> refused =
        job.findings().stream()
            .filter(SparkJudge.Finding::isRefused)
            .map(SparkJudge.Finding::message);
    Stream<String> wrong =
        new PenstockSettingsCheck(job, penstock)
            .look().stream()
                .filter(outcome -> outcome.verdict() == Verdict.FAIL)
                .map(CheckOutcome::said);
    return Stream.concat(refused, wrong)
        .findFirst()
        .map(
            why ->
                "with %s, no application would start: %s 'penstock doctor --conf %s --corrected NEW' corrects what it can"
                    .formatted(defaults, why, defaults));
  }

  private List<Path> ours() throws IOException {
    try (Stream<Path> files = Files.list(jars)) {
      return files
          .filter(file -> file.getFileName().toString().matches("penstock-spark(-\\d.*)?\\.jar"))
          .sorted()
          .toList();
    }
  }

  private String text() throws IOException {
    try {
      return Files.exists(defaults) ? Files.readString(defaults) : "";
    } catch (MalformedInputException e) {
      throw new IOException(defaults + " is not UTF-8, as Spark reads it", e);
    }
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

  private String withoutBlock(String text) throws IOException {
    List<String> lines = List.of(text.split("\n", -1));
    int begin = lines.indexOf(BEGIN);
    int end = lines.indexOf(END);
    if (begin < 0 && end < 0) {
      return text;
    }
    if (begin < 0
        || end < begin
        || lines.lastIndexOf(BEGIN) != begin
        || lines.lastIndexOf(END) != end) {
      throw new IOException(
          "%s has '%s' and '%s' not exactly once each, so it is not clear which lines are whose: remove these and Penstock's lines by hand"
              .formatted(defaults, BEGIN, END));
    }
    List<String> rest = new ArrayList<>(lines.subList(0, begin));
    rest.addAll(lines.subList(end + 1, lines.size()));
    return String.join("\n", rest);
  }

  /** Returns the size of a file in MB, to a tenth. */
  static String shownSize(Path file) throws IOException {
    return "%.1f MB".formatted(Files.size(file) / 1e6);
  }
}
