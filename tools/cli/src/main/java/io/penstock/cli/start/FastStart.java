/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.start;

import io.penstock.cli.print.FailureLine;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Prepares a directory from which the commands start in a fraction of the time: the classes in a
 * jar that is not compressed, DuckDB's library unpacked, the loaded classes as the JVM wants them,
 * and the JVM's options in argument files. A starter then runs {@code java @DIRECTORY/args/COMMAND
 * io.penstock.cli.Main COMMAND …}, or with {@code args/default} where the command has no file, or
 * with {@code args/any-collector} where its user chooses a garbage collector.
 *
 * <p>The directory can be deleted at any time. It is prepared once it has the file {@code
 * complete}, which starters touch: what is not used for a week is deleted when the jar is another
 * one.
 */
public final class FastStart {
  /** Commands that run for long. Their loops are worth the best code and all processors. */
  private static final List<String> LONG = List.of("demo", "logs", "proxy", "simulate", "weather");

  /** The file that names the jar that a directory was made of. */
  private static final String MADE_OF = "made-of";

  private static final String COMPLETE = "complete";

  /** The variables that give options to every JVM, which may not go with those of the sample. */
  private static final List<String> JVM_VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static final Duration UNUSED_MIN = Duration.ofDays(7);
  private static final Duration SAMPLE_RUN_MAX = Duration.ofMinutes(2);

  private final Path directory;
  private final Path jar;
  private final Path java;

  private FastStart(Path directory, Path jar, Path java) {
    this.directory = directory;
    this.jar = jar;
    this.java = java;
  }

  /**
   * Prepares the directory named by the only argument. One of several processes that do so at once
   * prepares it; the others return at once. A failure leaves no directory or one that works.
   */
  public static void main(String[] args) {
    try {
      prepare(Path.of(args[0]).toAbsolutePath());
    } catch (IOException e) {
      System.err.println(
          "penstock: cannot prepare %s (%s); commands work, but start more slowly"
              .formatted(args[0], FailureLine.text(e)));
      System.exit(1);
    }
  }

  private static void prepare(Path directory) throws IOException {
    if (directory.toString().contains(File.pathSeparator)) {
      throw new IOException("a class path cannot name it, because of the " + File.pathSeparator);
    }
    Path jar =
        Jars.cli().orElseThrow(() -> new IOException("this runs from penstock-cli.jar only"));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path lock = lock(directory);
    Files.createDirectories(lock.getParent());
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      if (held != null) {
        System.err.println("Preparing the commands to start faster (once after an installation) …");
        FastStart start = new FastStart(directory, jar, java);
        start.prepare();
        start.deleteOutdated();
      }
    }
  }

  private void prepare() throws IOException {
    Path part = directory.resolveSibling(directory.getFileName() + ".part");
    try {
      delete(part);
      createOwn(part);
      createOwn(part.resolve("args"));
      PlainJar.write(jar, part.resolve("penstock.jar"), NativeLibrary.ofThisMachine(), part);
      Files.writeString(part.resolve(MADE_OF), jar.toString());
      delete(directory);
      Files.move(part, directory);
    } finally {
      delete(part);
    }
    writeArguments(List.of());
    archiveClasses();
    denyOthersToWrite();
    Files.createFile(directory.resolve(COMPLETE));
  }

  /** Takes the right to write from all but the owner, which a umask of 002 gives to the group. */
  private void denyOthersToWrite() throws IOException {
    if (!hasRights(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.toList()) {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(path);
        rights.remove(PosixFilePermission.GROUP_WRITE);
        rights.remove(PosixFilePermission.OTHERS_WRITE);
        Files.setPosixFilePermissions(path, rights);
      }
    }
  }

  private static boolean hasRights(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Creates a directory in which nobody else can write: its files say what is executed. */
  private static void createOwn(Path created) throws IOException {
    if (hasRights(created)) {
      Files.createDirectory(
          created,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } else {
      Files.createDirectory(created);
    }
  }

  /** Writes the argument files, each with these options added. */
  private void writeArguments(List<String> more) throws IOException {
    List<String> all = new ArrayList<>();
    all.add("-D" + Jars.DIRECTORY + "=" + jar.getParent());
    all.add("-Djava.library.path=" + directory);
    all.addAll(more);
    all.add("-cp");
    all.add(directory.resolve("penstock.jar").toString());
    for (String command : LONG) {
      write(command, List.of(), all);
    }
    // For the other commands the optimizing compiler costs more than it saves, and so does a
    // collector with threads of its own. More heap would be only more memory to touch: each
    // processor reads a log of its own, some 12 MiB of rows (docs/decisions/0010).
    int heapMiB = 1024 + 32 * Runtime.getRuntime().availableProcessors();
    List<String> quick = new ArrayList<>();
    quick.add("-XX:TieredStopAtLevel=1");
    quick.add("-Xmx" + heapMiB + "m");
    write("any-collector", quick, all);
    // The JVM accepts one collector only, so this file is not used where another one is named.
    quick.add(0, "-XX:+UseSerialGC");
    write("default", quick, all);
  }

  /** Replaces a file as a whole, since a command may be starting from it. */
  private void write(String name, List<String> first, List<String> rest) throws IOException {
    List<String> lines =
        Stream.concat(first.stream(), rest.stream()).map(FastStart::quoted).toList();
    Path part = Files.write(directory.resolve("args").resolve("." + name), lines);
    Files.move(part, directory.resolve("args").resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Quotes an option for an argument file, where spaces separate and a backslash escapes. */
  static String quoted(String option) {
    return '"' + option.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Shows the JVM a small report, so that it keeps the classes that most commands load. */
  private void archiveClasses() throws IOException {
    Path archive = directory.resolve("classes.jsa");
    Path sample = directory.resolve("sample");
    try {
      boolean isMade =
          runs("logs", List.of(), "logs", "generate", sample.toString(), "--requests=2000")
              && runs(
                  "default",
                  List.of("-XX:ArchiveClassesAtExit=" + archive),
                  "analyze",
                  sample.toString(),
                  "--no-cache",
                  "--html",
                  directory.resolve("sample.html").toString());
      if (isMade && Files.exists(archive)) {
        // An archive that does not fit the JVM is ignored without a word.
        writeArguments(
            List.of(
                "-XX:SharedArchiveFile=" + archive,
                "-Xshare:auto",
                "-Xlog:disable",
                "-Xlog:all=error,cds*=off:stderr"));
      }
    } finally {
      delete(sample);
      Files.deleteIfExists(directory.resolve("sample.html"));
    }
  }

  /** Deletes the directories beside this one that nobody uses and whose jar is another one now. */
  private void deleteOutdated() throws IOException {
    Instant now = Files.getLastModifiedTime(directory.resolve(COMPLETE)).toInstant();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory.getParent())) {
      for (Path other : all) {
        Path used = other.resolve(COMPLETE);
        if (Files.exists(used)
            && !other.equals(directory)
            && isOutdated(Path.of(Files.readString(other.resolve(MADE_OF))))
            && Files.getLastModifiedTime(used).toInstant().plus(UNUSED_MIN).isBefore(now)) {
          delete(other);
          Files.deleteIfExists(lock(other));
        }
      }
    }
  }

  private boolean isOutdated(Path itsJar) {
    return itsJar.equals(jar) || !Files.exists(itsJar);
  }

  private static Path lock(Path directory) {
    return directory.resolveSibling(directory.getFileName() + ".lock");
  }

  private boolean runs(String arguments, List<String> options, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add("@" + directory.resolve("args").resolve(arguments));
    command.addAll(options);
    command.add("io.penstock.cli.Main");
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeAll(JVM_VARIABLES);
    Process process = builder.start();
    try {
      return process.waitFor(SAMPLE_RUN_MAX.toSeconds(), TimeUnit.SECONDS)
          && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.destroy();
    }
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
