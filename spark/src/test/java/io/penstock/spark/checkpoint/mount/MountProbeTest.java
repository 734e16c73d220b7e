/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import io.penstock.hadoop.mount.MountReport;
import io.penstock.hadoop.mount.MountWitness;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asking executors, before a query starts, what they see of its checkpoint. */
class MountProbeTest {
  private static final Duration WAIT = Duration.ofSeconds(20);

  @TempDir Path mount;
  @TempDir Path elsewhere;

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);

  /** Executors of which each round of tasks reaches some. */
  private static final class Scripted implements Witnesses {
    final List<String> asked = new ArrayList<>();
    final int count;
    final Round round;

    interface Round {
      List<MountReport> answers(int number, String directory, String token) throws IOException;
    }

    Scripted(int count, Round round) {
      this.count = count;
      this.round = round;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public List<MountReport> ask(String directory, String token, Duration atMost)
        throws IOException {
      asked.add(atMost.toString());
      return round.answers(asked.size(), directory, token);
    }
  }

  private void check(Scripted executors) throws IOException {
    new MountProbe(executors, time).check(mount.toString(), WAIT);
  }

  private static MountReport sees(String directory, String token, int executor) throws IOException {
    return MountWitness.look(directory, token, "executor " + executor, "host-" + executor);
  }

  @Test
  void executorsThatShareTheDirectoryAreFineAndNothingIsLeftThere() throws IOException {
    Scripted executors =
        new Scripted(
            2,
            (round, directory, token) ->
                List.of(
                    sees(directory, token, 1),
                    sees(directory, token, 1),
                    sees(directory, token, 2)));
    check(executors);
    assertThat(executors.asked).containsExactly("PT20S");
    assertThat(namesIn(mount)).isEmpty();
  }

  @Test
  void anExecutorWithoutTheMountIsNamedAndNothingIsLeftThere() throws IOException {
    Scripted executors =
        new Scripted(
            2,
            (round, directory, token) ->
                List.of(sees(directory, token, 1), sees(elsewhere.toString(), token, 2)));
    assertThatThrownBy(() -> check(executors))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("executor 2 on host-2")
        .hasMessageContaining("(1 of 2 that were asked)");
    assertThat(namesIn(mount)).isEmpty();
    assertThat(namesIn(elsewhere)).isEmpty();
  }

  @Test
  void executorsThatWereBusyAreAskedAgainAFewTimes() throws IOException {
    Scripted slow =
        new Scripted(3, (round, directory, token) -> List.of(sees(directory, token, round)));
    check(slow);
    assertThat(slow.asked).hasSize(3);
    Scripted deaf =
        new Scripted(3, (round, directory, token) -> List.of(sees(directory, token, 1)));
    check(deaf);
    assertThat(deaf.asked).hasSize(5);
  }

  @Test
  void theWaitEndsInTimeAndTheQueryGoesOnUnasked() throws IOException {
    Scripted stuck =
        new Scripted(
            2,
            (round, directory, token) -> {
              time.advance(Duration.ofSeconds(15));
              return List.of();
            });
    check(stuck);
    assertThat(stuck.asked).containsExactly("PT20S", "PT5S");
    assertThat(namesIn(mount)).isEmpty();
  }

  @Test
  void withoutExecutorsNobodyIsAsked() throws IOException {
    Scripted none = new Scripted(0, (round, directory, token) -> List.of());
    check(none);
    assertThat(none.asked).isEmpty();
  }

  @Test
  void anInterruptedQuestionFailsAsInterruptedAndNothingIsLeftThere() throws IOException {
    Scripted interrupted =
        new Scripted(
            1,
            (round, directory, token) -> {
              throw new InterruptedIOException("stopped");
            });
    assertThatThrownBy(() -> check(interrupted)).isInstanceOf(InterruptedIOException.class);
    assertThat(namesIn(mount)).isEmpty();
  }

  @Test
  void aTemporaryCheckpointOfSparksOwnMakingIsNotAskedAbout() {
    assertThat(MountProbe.isTemporary("/tmp/temporary-3f0f6d3c-0f64-4a8e-9f7a-0a2f8b6a9c11"))
        .isTrue();
    assertThat(MountProbe.isTemporary("/mnt/efs/temporary-query")).isFalse();
  }

  @Test
  void aSightingComesBackFromAnExecutorAsItWasSent() throws IOException {
    MountReport sighting = sees(mount.toString(), "token", 1);
    assertThat(SparkWitnesses.unpack(SparkWitnesses.pack(sighting))).isEqualTo(sighting);
  }

  @Test
  void aLocalMasterHasNoExecutorsToAsk() throws IOException {
    boolean isAlone =
        SparkContext$.MODULE$.getActive().isEmpty(); // Other tests of this process keep theirs.
    SparkContext spark =
        SparkContext.getOrCreate(
            new SparkConf(false)
                .setMaster("local[1]")
                .setAppName("probe")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1"));
    try {
      MountProbe.check(
          SystemTime.INSTANCE, spark, new org.apache.hadoop.fs.Path("file:/not/there"));
      assertThat(new SparkWitnesses(spark).count()).isZero();
      // The job itself, on the one process there is.
      Files.createDirectory(mount.resolve("token"));
      assertThat(new SparkWitnesses(spark).ask(mount.toString(), "token", WAIT))
          .isNotEmpty()
          .allSatisfy(sighting -> assertThat(sighting.tokenSeen()).isTrue());
    } finally {
      if (isAlone) {
        spark.stop();
      }
    }
  }

  private static List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
