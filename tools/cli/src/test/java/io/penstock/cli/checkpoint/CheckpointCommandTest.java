/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointCommandTest {
  @TempDir private Path directory;
  private Path checkpoint;

  @BeforeEach
  void threeBatchesWithState() throws IOException {
    checkpoint = directory.resolve("cp");
    write("metadata", "{\"id\":\"4fc0c123-5028-496e-ba85-ed9347b39b8c\"}");
    for (int batch = 0; batch < 3; batch++) {
      write("offsets/" + batch, "v1\n{\"conf\":{}}\n{\"offset\":" + batch + "}");
      write("commits/" + batch, "v1\n{\"nextBatchWatermarkMs\":0}");
      write("state/0/0/" + (batch + 1) + ".delta", "delta");
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = checkpoint.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-03-01T10:00:00Z")));
  }

  private Ran check(String... more) {
    return run("check", more);
  }

  private Ran run(String verb, String... more) {
    return Ran.penstock(
        Stream.concat(Stream.of("checkpoint", verb, checkpoint.toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void aHealthyCheckpointIsShownIn80Columns() {
    Ran ran = check();

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains(
            "  query       4fc0c123-5028-496e-ba85-ed9347b39b8c",
            "  planned     batch 2",
            "  committed   batch 2",
            "  next start  batch 3",
            "Healthy: nothing here stops or corrupts the query.");
    assertThat(ran.lines().subList(1, ran.lines().size())).allMatch(line -> line.length() <= 80);
  }

  @Test
  void findingsOfOneSortStandTogetherAndFailTheCommand() throws IOException {
    write("commits/2", "");
    Files.delete(checkpoint.resolve("state/0/0/2.delta"));
    Ran ran = check();

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out())
        .contains(
            "2 findings stop or corrupt the query.",
            "STOPS  The newest commit cannot be read.\n    commits/2\n",
            "STOPS  A state file is missing.\n    state/0/0/2.delta\n");
    assertThat(ran.lines().subList(1, ran.lines().size())).allMatch(line -> line.length() <= 80);
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    write("commits/2", "");
    Ran ran = check("--format", "json");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out())
        .startsWith("{")
        .contains("\"healthy\" : false", "\"severity\" : \"stops\"", "\"where\" : \"commits/2\"");
  }

  @Test
  void whatATerminalWouldObeyIsShownAndNotSent() throws IOException {
    write("offsets/\u001b[2Jx", "");

    assertThat(check().out()).contains("offsets/\\x1b[2Jx").doesNotContain("\u001b");
  }

  @Test
  void aRepairIsShownAndNotDone() throws IOException {
    write("commits/2", "");
    Ran ran = run("repair");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out())
        .contains("commits/2", "safe: ", "then: Batch 2 runs again.", "Nothing was done.");
    assertThat(ran.lines().subList(1, ran.lines().size())).allMatch(line -> line.length() <= 80);
    assertThat(checkpoint.resolve("commits/2")).exists();
  }

  @Test
  void aRepairThatIsAskedForIsDoneWithACopy() throws IOException {
    write("commits/2", "");
    Ran ran = run("repair", "--write");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("Done.", "Healthy");
    assertThat(checkpoint.resolve("commits/2")).doesNotExist();
    try (Stream<Path> copies = Files.walk(checkpoint.resolve("_penstock_repair"))) {
      assertThat(copies.filter(Files::isRegularFile))
          .singleElement()
          .asString()
          .endsWith("/commits/2");
    }
  }

  @Test
  void aCheckpointThatWasJustWrittenIsNotTouched() throws IOException {
    write("commits/2", "");
    Files.setLastModifiedTime(
        checkpoint.resolve("offsets/2"), FileTime.fromMillis(System.currentTimeMillis()));
    Ran ran = run("repair", "--write");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).startsWith("penstock: refused: the checkpoint was written");
    assertThat(checkpoint.resolve("commits/2")).exists();
    assertThat(run("repair", "--write", "--force").exitCode()).isZero();
  }

  @Test
  void aSinksDirectoryIsKnownByItsLog() throws IOException {
    for (int batch : new int[] {0, 1, 3}) {
      write("_spark_metadata/" + batch, "v1");
    }
    Ran ran = check();

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out())
        .contains("STOPS  A log that lists data files has a gap.", "_spark_metadata/2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hdfs://host/cp | only s3://, s3a:// and file: can be looked at",
        "s3:///cp       | names no bucket; write s3://BUCKET/PREFIX",
        "s3:            | names no bucket",
        "/no/such/place | no such directory; write s3://BUCKET/PREFIX",
        "file:///no/such| no such directory",
      })
  void aPathThatNamesNothingIsWrongUsage(String path, String complaint) {
    Ran ran = Ran.penstock("checkpoint", "check", path);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).startsWith("penstock: ").contains(complaint);
    assertThat(ran.err().lines()).hasSize(1);
  }

  @Test
  void aDirectoryAboveACheckpointSaysSo() {
    Ran ran = Ran.penstock("checkpoint", "check", directory.toString());

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("no checkpoint is at").contains("Is it cp/ below it?");
  }

  @Test
  void aBucketIsLookedAtWithTheSettingsOfSpark() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      String[] conf = {
        "--endpoint=" + s3.endpoint(), "--conf=spark.hadoop.penstock.credentials=anonymous"
      };
      Ran nothing = Ran.penstock("checkpoint", "check", "s3a://lake/cp", conf[0], conf[1]);
      assertThat(nothing.exitCode()).isEqualTo(2);
      assertThat(nothing.err()).isEqualTo("penstock: nothing is at s3://lake/cp/\n");

      Ran typo = Ran.penstock("checkpoint", "check", "s3://lakes/cp", conf[0], conf[1]);
      assertThat(typo.exitCode()).isEqualTo(1);
      assertThat(typo.err()).contains("lakes");
    }
  }
}
