/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.DyingCommit;
import io.penstock.cli.Ran;
import io.penstock.core.commit.JobCommit;
import io.penstock.core.commit.JobCommit.Means;
import io.penstock.core.commit.JobCommit.Output;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.CommitConfig.Direction;
import io.penstock.core.commit.intent.CommittingJob;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HistoryAndUndoTest {
  private static final String ONE = "5f3c1a2b-6fd1-4c3e-8a11-0c2b9d7e1f01";
  private static final String TWO = "5f3c9e7d-11aa-4b0c-9d22-7e5f3a9b2c02";
  private static final String BAD = "bad0bad0-8c41-4e77-b1f0-3d4c5b6a7903";

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore store = new InMemoryStore("lake", time);
  private EmbeddedS3 s3;

  @BeforeEach
  void start() throws IOException {
    s3 = EmbeddedS3.builder().stores(bucket -> store).bucket("lake").start();
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  private void commit(String job, boolean isOverwrite, String... partitions) throws IOException {
    time.advance(Duration.ofMinutes(10));
    Means means =
        new Means(
            bucket -> store,
            Runnable::run,
            time,
            new CommitConfig(Duration.ofMinutes(1), Direction.AUTO, Duration.ofMinutes(1)),
            renewal -> () -> false,
            new UnansweredWrites(time));
    JobCommit commit =
        new JobCommit(
            means,
            Output.of("lake", "t"),
            started -> new CommittingJob(job, "app-1", "ada", "driver", 42, started));
    if (isOverwrite) {
      commit.replace("lake", "t/");
    }
    List<TaskFile> files = new ArrayList<>();
    DyingCommit uploads = new DyingCommit(store, time);
    for (String partition : partitions) {
      files.add(uploads.upload("t/" + partition + "/part-00000-" + job + ".c000.parquet", 1000));
    }
    commit.commit(files, SuccessMarker.JSON, OptionalLong.of(12_345));
    time.advance(Duration.ofMinutes(10));
  }

  /** Two good commits and a bad one, which replaces their files. */
  private void threeCommits() throws IOException {
    store.keepVersions();
    commit(ONE, false, "p=1", "p=2");
    commit(TWO, false, "p=1");
    commit(BAD, true, "p=1");
  }

  private List<String> data() {
    return store.list(ListRequest.flat("t/p")).objects().stream().map(ObjectMeta::key).toList();
  }

  private Ran run(String command, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                command,
                "s3://lake/t",
                "--endpoint=" + s3.endpoint(),
                "--conf=spark.hadoop.penstock.credentials=anonymous"));
    arguments.addAll(List.of(more));
    Ran ran = Ran.penstock(arguments.toArray(String[]::new));
    assertThat(ran.lines()).allMatch(line -> line.length() <= 85);
    return ran;
  }

  @Test
  void theHistoryIsATable() throws IOException {
    threeCommits();
    Ran ran = run("history");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .isEqualTo(
            """
            s3://lake/t/

              commit         ended (UTC)       what  files    rows     size  replaced
              -----------------------------------------------------------------------
              5f3c1a2b  2026-01-01 00:10     append      2  12,345  2.0 KiB         0
              5f3c9e7d  2026-01-01 00:30     append      1  12,345   1000 B         0
              bad0bad0  2026-01-01 00:50  overwrite      1  12,345   1000 B         3
            """);
    assertThat(run("history", "--last=1").out())
        .doesNotContain("append")
        .contains("bad0bad0", "Older ones: --last N");
  }

  @Test
  void oneCommitIsShownInDetail() throws IOException {
    threeCommits();
    Ran ran = run("history", "bad0");
    assertThat(ran.out())
        .contains(
            BAD,
            "overwrite, ended at 2026-01-01 00:50:00 UTC",
            "of app-1 on driver (pid 42)",
            "for the user ada",
            "added 1 file, 1000 B, 12,345 rows",
            "replaced 3 objects",
            "s3://lake/t/p=2/      0         1");
    assertThat(run("history", "last").out()).isEqualTo(ran.out());
  }

  @Test
  void programsReadTheHistoryAsRows() throws IOException {
    threeCommits();
    Ran csv =
        Ran.penstock(
            "history",
            "s3://lake/t",
            "--format=csv",
            "--endpoint=" + s3.endpoint(),
            "--conf=spark.hadoop.penstock.credentials=anonymous");
    assertThat(csv.lines().get(0))
        .isEqualTo("commit,began,ended,what,user,application,host,name,files,rows,bytes,replaced");
    assertThat(csv.lines()).hasSize(4);
    assertThat(csv.lines().get(3))
        .startsWith(BAD + ",")
        .endsWith(",overwrite,ada,app-1,driver,,1,12345,1000,3");
    assertThat(run("history", "last", "--format=json").out())
        .contains("\"user\"", "\"ada\"")
        .doesNotContain("directory");
  }

  @Test
  void whatAnUndoWouldDoIsShownAndThenDone() throws IOException {
    threeCommits();
    List<String> bad = data();
    Ran plan = run("undo", "last");
    assertThat(plan.exitCode()).isZero();
    assertThat(plan.out())
        .contains(
            "to delete:  1 file (1000 B)",
            "to restore: 3 files (2.9 KiB)",
            "Nothing was done. To do it:\n  penstock undo s3://lake/t bad0bad0 --write\n");
    assertThat(data()).isEqualTo(bad);
    Ran undo = run("undo", "last", "--write");
    assertThat(undo.err()).contains("taking the commit back");
    assertThat(undo.out())
        .containsPattern(
            "\nDone. To take this back:\n  penstock undo s3://lake/t [0-9a-f]{8} --write\n");
    assertThat(data()).hasSize(3).allMatch(key -> key.contains("5f3c"));
    assertThat(run("history").lines().get(7)).contains("undo", "3");
    assertThat(run("history", "last").out()).contains("takes back " + BAD);
    assertThat(run("undo", "last", "--write").exitCode()).isZero();
    assertThat(data()).isEqualTo(bad);
  }

  @Test
  void directoriesThatHaveChangedSinceAreNamed() throws IOException {
    threeCommits();
    store.put(
        "t/p=2/part-00000-" + ONE + ".c000.parquet", Body.ofBytes(new byte[1]), Condition.NONE);
    Ran refused = run("undo", "last", "--write");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("one of its directories has changed since: s3://lake/t/p=2/", "exists again");
    Ran some = run("undo", "last", "--write", "--unchanged-only");
    assertThat(some.out()).contains("left as they are: 1 directory", "s3://lake/t/p=2/:");
    assertThat(data()).hasSize(3);
  }

  @Test
  void aNameMustBeThatOfOneCommit() throws IOException {
    threeCommits();
    assertThat(run("undo", "5f3c").err()).contains("'5f3c' names 2 commits", ONE, TWO);
    assertThat(run("undo", "abcdef").err())
        .contains(
            "no commit is known whose job's id begins with 'abcdef'. See 'penstock history"
                + " s3://lake/t/'");
    Ran tooShort = run("undo", "5f3");
    assertThat(tooShort.err()).contains("give at least 4 characters");
    assertThat(tooShort.exitCode()).isEqualTo(2);
    assertThat(run("history", "--last=0").err()).contains("--last must be at least 1, got 0");
  }

  @Test
  void aPartitionIsNoTable() throws IOException {
    threeCommits();
    Ran ran =
        Ran.penstock("undo", "s3://lake/t/p=1", "last", "--write", "--endpoint=" + s3.endpoint());
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err())
        .contains(
            "s3://lake/t/p=1 is a partition, and commits belong to tables: write s3://lake/t/");
  }

  @Test
  void withoutVersionsTheNamesOfTheFilesTellWhatTheyCan() throws IOException {
    commit(ONE, false, "p=1", "p=2");
    commit(TWO, false, "p=1");
    store.put("t/p=1/data.csv", Body.ofBytes(new byte[1]), Condition.NONE);
    Ran ran = run("history");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.unwrapped())
        .contains("so the bucket must keep versions", "and 1 file without an id in the name");
    assertThat(ran.out())
        .contains(ONE + "  2026-01-01 00:10      2  2.0 KiB")
        .contains(TWO + "  2026-01-01 00:30      1   1000 B");
    assertThat(run("undo", "last").err()).contains("no commit is known. See 'penstock history");
    assertThat(run("history", "--last=1").out()).contains("and 1 older job: --last N");
  }

  @Test
  void anEmptyPathAndATableOfAFormatAreTold() throws IOException {
    assertThat(run("history").unwrapped()).contains("No commit is known.").doesNotContain("tell");
    store.put("t/_delta_log/0.json", Body.ofBytes(new byte[1]), Condition.NONE);
    assertThat(run("history").out()).contains("a format that has a history of its own");
  }
}
