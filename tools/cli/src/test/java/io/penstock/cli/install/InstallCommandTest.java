/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallCommandTest {
  @TempDir private Path directory;
  private Path spark;
  private Path defaults;
  private Path jar;

  @BeforeEach
  void makeASpark() throws IOException {
    spark = directory.resolve("spark");
    defaults = spark.resolve("conf/spark-defaults.conf");
    Files.createDirectories(spark.resolve("jars"));
    Files.writeString(spark.resolve("jars/spark-core_2.13-4.1.4.jar"), "");
    jar = Files.writeString(directory.resolve("penstock-spark.jar"), "new");
  }

  private Ran install(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "install", spark.toString(), "--jar=" + jar, "--conf-dir=" + defaults.getParent()));
    arguments.addAll(List.of(more));
    return Ran.penstock(arguments.toArray(String[]::new));
  }

  private Path installed() {
    return spark.resolve("jars/penstock-spark.jar");
  }

  @Test
  void withoutWriteItOnlyShowsWhatItWouldDo() {
    Ran ran = install();

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .contains("would copy", "would write", "spark.plugins io.penstock.spark.PenstockPlugin")
        .contains("Nothing was changed: add --write");
    assertThat(installed()).doesNotExist();
    assertThat(defaults).doesNotExist();
  }

  @Test
  void installingAndUndoingLeavesTheUsersLines() throws IOException {
    Files.createDirectories(defaults.getParent());
    String before = "spark.executor.memory 4g\nspark.plugins = com.acme.Plugin";
    Files.writeString(defaults, before);

    assertThat(install("--write").out()).contains("Done.");

    assertThat(Files.readString(installed())).isEqualTo("new");
    assertThat(Files.readString(defaults))
        .startsWith(before + "\n")
        .contains("spark.plugins io.penstock.spark.PenstockPlugin,com.acme.Plugin\n")
        .contains("spark.hadoop.fs.s3a.impl io.penstock.hadoop.PenstockFileSystem\n");
    assertThat(install("--write").out()).contains("installed already");
    assertThat(
            Ran.penstock(
                    "doctor", "--conf=" + defaults, "--corrected=" + directory.resolve("other"))
                .err())
        .contains("0 lines differ");

    assertThat(install("--undo").out()).contains("would remove", "Nothing was changed");
    assertThat(install("--undo", "--write").out()).contains("Done.");

    assertThat(installed()).doesNotExist();
    assertThat(Files.readString(defaults)).isEqualTo(before + "\n");
    assertThat(install("--undo").out()).contains("not installed there");
  }

  @Test
  void aLinkedFileStaysALink() throws IOException {
    Path real = Files.writeString(directory.resolve("real.conf"), "");
    Files.createDirectories(defaults.getParent());
    Files.createSymbolicLink(defaults, real);

    install("--write");
    assertThat(Files.readString(real)).contains("spark.plugins");
    install("--undo", "--write");

    assertThat(defaults).isSymbolicLink();
    assertThat(real).isEmptyFile();
  }

  @Test
  void undoingLeavesNoEmptyFileOfSettings() {
    install("--write");
    assertThat(defaults).isNotEmptyFile();

    install("--undo", "--write");

    assertThat(defaults).doesNotExist();
  }

  @Test
  void whoMayRunTheSparkMayReadWhatIsInstalled() throws IOException {
    Path core = spark.resolve("jars/spark-core_2.13-4.1.4.jar");
    Files.setPosixFilePermissions(core, PosixFilePermissions.fromString("r--r--r--"));
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-------"));

    install("--write");

    for (Path file : List.of(installed(), defaults)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-r--r--");
    }
  }

  @Test
  void aBlockWithoutItsEndIsNotTouched() throws IOException {
    install("--write");
    String cut = Files.readString(defaults).replace("# penstock install: end\n", "");
    Files.writeString(defaults, cut + "spark.executor.memory 4g\n");

    assertThat(install("--write").exitCode()).isEqualTo(1);
    assertThat(install("--undo", "--write").exitCode()).isEqualTo(1);
    assertThat(Files.readString(defaults)).endsWith("spark.executor.memory 4g\n");
    assertThat(install("--undo").complaint()).contains("not exactly once each");
  }

  @Test
  void aLineThatGoesOnIsNotContinuedByOurs() throws IOException {
    Files.createDirectories(defaults.getParent());
    Files.writeString(defaults, "spark.executor.extraJavaOptions -Da=1 \\\n");

    assertThat(install("--write").complaint()).contains("complete that line first");
    assertThat(installed()).doesNotExist();

    Files.writeString(defaults, "a C:\\\\lib\\\\\n# a comment \\\n");
    assertThat(install("--write").out()).contains("Done.");
  }

  @Test
  void anOlderJarGivesWay() throws IOException {
    Path older = Files.writeString(spark.resolve("jars/penstock-spark-0.0.1.jar"), "old");
    Files.writeString(installed(), "old");

    assertThat(install("--write").out()).contains("copy", "remove  " + older);

    assertThat(older).doesNotExist();
    assertThat(Files.readString(installed())).isEqualTo("new");
  }

  @Test
  void aSettingWithWhichNothingWouldStartStopsIt() throws IOException {
    Files.createDirectories(defaults.getParent());
    Files.writeString(defaults, "spark.hadoop.mapred.output.committer.class com.acme.Committer\n");

    Ran ran = install("--write");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.complaint())
        .contains("mapred.output.committer.class=com.acme.Committer", "penstock doctor --conf");
    assertThat(installed()).doesNotExist();

    Path corrected = directory.resolve("corrected.conf");
    Ran.penstock("doctor", "--conf=" + defaults, "--corrected=" + corrected);
    Files.move(corrected, defaults, StandardCopyOption.REPLACE_EXISTING);
    assertThat(install("--write").out()).contains("Done.");
  }

  @Test
  void aSettingThatIsWrongStopsItToo() throws IOException {
    Files.createDirectories(defaults.getParent());
    for (String line : List.of("spark.penstock.endpoint x", "spark.hadoop.penstock.endpiont y")) {
      Files.writeString(defaults, line + "\n");
      assertThat(install().complaint()).contains("no application would start: ");
    }
    Files.writeString(
        defaults,
        """
        spark.sql.streaming.checkpointFileManagerClass com.acme.M
        spark.hadoop.penstock.spark.checkpoint.enabled false
        """);
    assertThat(install().exitCode()).isZero();
  }

  @Test
  void anOldSparkIsRefused() throws IOException {
    Files.move(
        spark.resolve("jars/spark-core_2.13-4.1.4.jar"),
        spark.resolve("jars/spark-core_2.12-3.2.1.jar"));

    assertThat(install("--write").complaint()).contains("Penstock needs Spark 3.5 or later");
  }

  @Test
  void wrongUsageIsSaid() {
    assertThat(Ran.penstock("install", directory.toString(), "--jar=" + jar).complaint())
        .contains("is not the directory of a Spark");
    assertThat(Ran.penstock("install", spark.toString(), "--jar=/no/such.jar").complaint())
        .contains("--jar=/no/such.jar does not exist");
  }
}
