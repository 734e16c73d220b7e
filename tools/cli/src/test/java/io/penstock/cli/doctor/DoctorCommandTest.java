/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
  private static final String ANONYMOUS = "--conf=penstock.credentials=anonymous";

  @TempDir private Path directory;

  private static Ran doctor(String... arguments) {
    return Ran.penstock(
        Stream.concat(Stream.of("doctor"), Stream.of(arguments)).toArray(String[]::new));
  }

  /** The text in one line, as no test is about where it was wrapped. */
  private static String flat(Ran ran) {
    return ran.out().replaceAll("\\s+", " ");
  }

  private static EmbeddedS3 lake() throws IOException {
    return EmbeddedS3.builder().bucket("lake").start();
  }

  @Test
  void withoutABucketTheMachineIsLookedAt() {
    Ran ran = doctor();

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("machine\n", "Java", "open files", "none were given");
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aBucketThatIsWellPassesAndIsOnlyRead() throws IOException {
    try (EmbeddedS3 s3 = lake()) {
      s3.store("lake").put("data/x", Body.ofBytes(new byte[2 << 20]), Condition.NONE);
      s3.resetCounts();
      Ran ran = doctor("s3://lake/data", "--endpoint=" + s3.endpoint(), ANONYMOUS);

      assertThat(ran.exitCode()).as(ran.out()).isZero();
      assertThat(flat(ran))
          .contains(
              "there is something at s3://lake/data",
              "GET 1 B to the first byte: p50",
              "only with --write");
      assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
      assertThat(s3.counts().toString()).doesNotContain("Put", "Delete", "Create");
    }
  }

  @Test
  void whatIsWrittenIsTakenAwayAgain() throws IOException {
    try (EmbeddedS3 s3 = lake()) {
      Ran ran = doctor("s3a://lake/data", "--endpoint=" + s3.endpoint(), ANONYMOUS, "--write");

      assertThat(ran.exitCode()).as(ran.out()).isZero();
      assertThat(flat(ran))
          .contains("If-None-Match and If-Match are honoured", "created, listed and aborted");
      ObjectStore store = s3.store("lake");
      assertThat(store.list(ListRequest.flat("")).isEmpty()).isTrue();
      assertThat(store.listUploads("", Optional.empty()).uploads()).isEmpty();
    }
  }

  @Test
  void aMissingBucketFailsAndWhatNeedsItIsSkipped() throws IOException {
    try (EmbeddedS3 s3 = lake()) {
      Ran ran = doctor("s3://lakes", "--endpoint=" + s3.endpoint(), ANONYMOUS, "--write");

      assertThat(ran.exitCode()).isEqualTo(1);
      assertThat(flat(ran))
          .contains("NoSuchBucket", "GET because of: list", "the bucket was not reached");
    }
  }

  @Test
  void aPortWithoutAServerFailsAtOnce() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Ran ran = doctor("s3://lake", "--endpoint=http://127.0.0.1:" + port, ANONYMOUS);

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(flat(ran)).contains("refuses connections", "the endpoint was not reached");
  }

  @Test
  void aWarningFailsWhereThatIsAskedFor() {
    String setting = "--conf=spark.hadoop.fs.s3a.conection.maximum=9";
    assertThat(doctor(setting).exitCode()).isZero();
    Ran strict = doctor(setting, "--strict");
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(flat(strict)).contains("Did you mean fs.s3a.connection.maximum?");
  }

  @Test
  void aFileOfSettingsReachesTheBucketAndShowsNoSecret() throws IOException {
    try (EmbeddedS3 s3 = lake()) {
      Path file = directory.resolve("spark-defaults.conf");
      Files.writeString(
          file,
          """
          spark.hadoop.fs.s3a.endpoint %s
          spark.hadoop.fs.s3a.access.key hunter2-access
          spark.hadoop.fs.s3a.secret.key hunter2-secret
          spark.hadoop.penstock.block.size 32M
          fs.s3a.threads.max 20
          """
              .formatted(s3.endpoint()));
      for (String format : new String[] {"table", "json"}) {
        Ran ran = doctor("s3://lake", "--conf", file.toString(), "--format", format);
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out() + ran.err())
            .contains("spark.hadoop.fs.s3a.threads.max", "nothing is at s3://lake/")
            .doesNotContain("hunter2");
      }
    }
  }

  @Test
  void theCorrectedFileIsWrittenForItsOwnerOnly() throws IOException {
    Path file = directory.resolve("spark-defaults.conf");
    Path corrected = directory.resolve("corrected.conf");
    Files.writeString(
        file,
        """
        spark.plugins io.penstock.spark.PenstockPlugin
        spark.sql.streaming.checkpointFileManagerClass com.acme.Manager
        spark.hadoop.fs.s3a.access.key mine
        spark.hadoop.fs.s3a.secret.key hunter2
        spark.hadoop.fs.s3a.attempts.maximum 3
        """);

    Ran ran = doctor("--conf", file.toString(), "--corrected", corrected.toString());

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(flat(ran))
        .contains(
            "the plugin refuses to start with it",
            "no effect on Penstock: fs.s3a.attempts.maximum");
    assertThat(ran.err()).contains("2 lines differ").doesNotContain("hunter2");
    assertThat(Files.readString(corrected))
        .contains("# spark.sql.streaming.checkpointFileManagerClass com.acme.Manager", "hunter2");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(corrected)))
        .isEqualTo("rw-------");
    assertThat(doctor("--conf", corrected.toString()).exitCode()).isZero();

    Ran again = doctor("--conf", file.toString(), "--corrected", corrected.toString());
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("exists already; name a new file");
  }

  @Test
  void aSettingThatMakesNoSenseIsAFindingAndNotTheEnd() {
    Ran ran = doctor("s3://lake", "--conf=penstock.credentials=guess");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(flat(ran)).contains("must be one of auto, default");
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void aCheckpointIsLookedAt() {
    assertThat(flat(doctor("--checkpoint", directory.resolve("none").toString())))
        .contains("is not there", "docs/checkpoints.md#on-a-mounted-filesystem");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lake/data            | names no bucket; write s3://BUCKET/PREFIX",
        "hdfs://host/x        | names no bucket",
        "--write              | --write needs an s3://BUCKET/PREFIX",
        "--conf=/no/such/file | is neither KEY=VALUE nor a file that can be read",
        "--conf==x            | is not KEY=VALUE",
        "--corrected=x        | give the file to correct by one --conf=FILE; given are 0",
      })
  void wrongUsageIsSaid(String argument, String complaint) {
    Ran ran = doctor(argument);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).startsWith("penstock: ").contains(complaint);
  }
}
