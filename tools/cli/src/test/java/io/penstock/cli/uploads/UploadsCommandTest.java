/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.DyingCommit;
import io.penstock.cli.Ran;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UploadsCommandTest {
  private static final String JOB = "0b3d7ad8-9c39-4c6c-8a3e-1f0b3d7ad8aa";
  private static final String OTHER = "5f3c1c52-9c39-4c6c-8a3e-1f0b3d7ad8aa";

  private EmbeddedS3 s3;
  private StoreStack stack;
  private ObjectStore store;
  private DyingCommit dying;

  @BeforeEach
  void start() throws IOException {
    s3 = EmbeddedS3.builder().bucket("lake").start();
    stack =
        StoreStack.open(
            Engine.process(),
            "lake",
            Settings.of(
                Map.of(
                    "penstock.endpoint",
                    s3.endpoint().toString(),
                    "penstock.credentials",
                    "anonymous")),
            UploadsCommandTest.class.getClassLoader());
    store = stack.store();
    dying = new DyingCommit(store, SystemTime.INSTANCE);
  }

  @AfterEach
  void stop() {
    stack.close();
    s3.close();
  }

  private TaskFile upload(String key, int size) throws IOException {
    return dying.upload(key, size);
  }

  private List<String> left() throws IOException {
    return Keys.uploads(store, "").stream().map(listed -> listed.upload().key()).sorted().toList();
  }

  private Ran uploads(String path, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "uploads",
                path,
                "--endpoint=" + s3.endpoint(),
                "--conf=spark.hadoop.penstock.credentials=anonymous"));
    arguments.addAll(List.of(more));
    return Ran.penstock(arguments.toArray(String[]::new));
  }

  @Test
  void aPathWithoutUploadsIsWell() {
    Ran ran = uploads("s3://lake/t");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).startsWith("s3://lake/t: no upload is in progress.\n(Some stores");
  }

  @Test
  void uploadsAreShownByJobWithSizeCostAndCommit() throws IOException {
    upload("t/p=1/part-0-" + JOB, 3_000);
    upload("t/p=2/part-1-" + JOB, 2_000);
    upload("t/other", 10);
    upload("t2/part-0-" + JOB, 10);
    dying.append(OTHER, List.of(upload("t/part-0-" + OTHER, 100)), 0);

    Ran ran = uploads("s3://lake/t", "--price=1000000");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .contains("4 uploads in progress, 5.0 KiB, $4.76 a month")
        .containsPattern(JOB + " +2 +4.9 KiB +[0-9]+ s +none")
        .containsPattern(OTHER + " +1 +100 B +[0-9]+ s +at work")
        .containsPattern("no job id. +1 +10 B");
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    assertThat(left()).hasSize(5);
    assertThat(uploads("s3://lake/t", "--each").out()).contains("2.0 KiB", "t/p=2/part-1-" + JOB);
  }

  @Test
  void onlyTheUploadsOfAJobAreAbortedAndOnlyWhenToldTo() throws IOException {
    upload("t/part-0-" + JOB, 3_000);
    upload("t/part-0-" + OTHER, 10);

    assertThat(uploads("s3://lake/t", "--job", JOB).out())
        .contains("Would abort 1 upload, 2.9 KiB", "To do it, add --write.");
    assertThat(left()).hasSize(2);

    assertThat(uploads("s3://lake/t", "--job", JOB, "--write").out())
        .contains("Aborted 1 upload, 2.9 KiB");
    assertThat(left()).containsExactly("t/part-0-" + OTHER);
  }

  @Test
  void uploadsOfAnUnfinishedCommitStay() throws IOException {
    dying.append(JOB, List.of(upload("t/part-0-" + JOB, 100)), 0);
    // Also asked from above the table.
    for (String path : List.of("s3://lake/t", "s3://lake")) {
      Ran ran = uploads(path, "--older-than=0s", "--all", "--write");
      assertThat(ran.out())
          .contains(
              "1 of them are part of an unfinished commit and stay",
              "penstock recover s3://lake/t/")
          .contains("There is none to abort.");
      assertThat(left()).hasSize(1);
    }
  }

  @Test
  void youngUploadsAreNotAbortedForTheirAge() throws IOException {
    upload("t/part-0-" + JOB, 100);
    upload("t/of-another-program", 100);
    assertThat(uploads("s3://lake", "--older-than=1h", "--all", "--write").out())
        .contains("There is none to abort.");
    assertThat(uploads("s3://lake", "--older-than=0s", "--write").out()).contains("Aborted 1");
    assertThat(left()).containsExactly("t/of-another-program");
    assertThat(uploads("s3://lake", "--older-than=0s", "--all", "--write").out())
        .contains("Aborted 1");
    assertThat(left()).isEmpty();
  }

  @Test
  void whatIsNotMeantIsRefused() {
    assertThat(uploads("s3://lake/t", "--write").complaint()).contains("--job ID", "--older-than");
    assertThat(uploads("s3://lake/t", "--older-than=7").complaint()).contains("no unit");
    assertThat(uploads("s3://lake/t", "--older-than=7 moons").complaint())
        .contains("is not an age");
    assertThat(uploads("lake/t").complaint()).contains("write s3://BUCKET/PREFIX");
  }
}
