/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void installingAndUndoingLeavesTheFileAsItWas() throws IOException {
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

    assertThat(install("--undo").out()).contains("would remove", "Nothing was changed");
    assertThat(install("--undo", "--write").out()).contains("Done.");

    assertThat(installed()).doesNotExist();
    assertThat(Files.readString(defaults)).isEqualTo(before + "\n");
    assertThat(install("--undo").out()).contains("not installed there");
  }

  @Test
  void aFileThatOnlyTheInstallationMadeIsRemovedWithIt() {
    install("--write");
    assertThat(defaults).exists();

    install("--undo", "--write");
    assertThat(defaults).doesNotExist();
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
  }

  @Test
  void wrongUsageIsSaid() {
    assertThat(Ran.penstock("install", directory.toString(), "--jar=" + jar).complaint())
        .contains("is no Spark");
    assertThat(Ran.penstock("install", spark.toString(), "--jar=/no/such.jar").complaint())
        .contains("--jar=/no/such.jar is no file");
  }
}
