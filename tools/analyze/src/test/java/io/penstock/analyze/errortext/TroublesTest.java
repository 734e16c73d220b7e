/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the lines of logs tell of trouble. */
class TroublesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WARN X: Container killed by YARN for exceeding memory limits. 8.2 GB of 8 GB | KILLED",
        "WARN X: Container killed by YARN for exceeding physical memory limits. 8 GB | KILLED",
        "Container [pid=1] is running beyond physical memory limits. Killing container. | KILLED",
        " termination reason: OOMKilled | KILLED",
        "The executor with id 7 exited with exit code 137(SIGKILL, possible container OOM). |"
            + " SIGNAL",
        "Exit status: 137. Diagnostics: Container released | SIGNAL",
        "spark-exec-3   0/1   OOMKilled   0   5m | KILLED",
        "java.lang.OutOfMemoryError: Java heap space | HEAP",
        "SdkClientException: Timeout waiting for connection from pool | POOL",
        "Caused by: java.lang.Exception: Acquire operation took longer than the configured maximum"
            + " | POOL",
        "SparkException: It is possible the underlying files have been updated. | REPLACED",
        "FileNotFoundException: No such file or directory: s3a://lake/t | MISSING",
        "botocore.exceptions.NoCredentialsError: Unable to locate credentials | CREDENTIALS",
        "java.net.SocketException: Connection reset | CONNECTION",
        "java.io.IOException: No space left on device | DISK",
        "ERROR TaskSetManager: Task 3 in stage 4.0 failed 4 times; aborting job | ABORTED",
        "ERROR TaskSchedulerImpl: Lost executor 1 on 10.0.0.1: Executor heartbeat timed out | LOST",
        "ERROR TaskSchedulerImpl: Lost executor 1 on h: Executor decommission: spot | LOST",
      })
  void eachTroubleIsKnownByItsWords(String line, Trouble trouble) {
    assertThat(Trouble.in(line)).contains(trouble);
    assertThat(Troubles.marks().anyMatch(line::contains)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "INFO Executor: Finished task 137.0 in stage 1.0",
    "INFO ShutdownHookManager: exit code 0",
    "ERROR TaskSchedulerImpl: Lost executor 3 on h: The executor with id 3 was deleted by a user or"
        + " the framework.",
    "ERROR TaskSchedulerImpl: Lost executor 3 on h: Command exited with code 0",
    "ERROR Executor: Exception in task 0.0",
    "INFO Config: executor.onOOMKilled=retry; containers are OOMKilled when they exceed it",
  })
  void everydayLinesAreNoTrouble(String line) {
    assertThat(Trouble.in(line)).isEqualTo(Optional.empty());
  }

  /** YARN's scheduler, its backend and the task set each tell of one kill. */
  @Test
  void anExecutorIsKilledOnce() {
    Troubles troubles = new Troubles();
    String why = " Container killed by YARN for exceeding memory limits.";
    troubles.read("app", 900_000, "WARN YarnAllocator:" + why, "p 0");
    troubles.read("app", 3_000_000, "WARN YarnSchedulerBackend:" + why, "p 3");
    troubles.read(
        "app", 1_000_000, "ERROR YarnClusterScheduler: Lost executor 6 on n:" + why, "p 1");
    troubles.read(
        "app", 2_000_000, "WARN TaskSetManager: (executor 6 exited) Reason:" + why, "p 2");
    troubles.read(
        "app", 4_000_000, "ERROR YarnClusterScheduler: Lost executor 7 on n:" + why, "p 4");
    assertThat(troubles.table().count(0, "times")).isEqualTo(2);
    assertThat(troubles.table().text(0, "example")).startsWith("YarnAllocator: Container");
  }

  @Test
  void anExecutorThatWasKilledIsNotLostBeside() {
    Troubles troubles = new Troubles();
    troubles.read("app", 1, "Lost executor 6 on n: Executor heartbeat timed out", "p 1");
    troubles.read("app", 2, "Lost executor 7 on n: Remote RPC client disassociated", "p 2");
    troubles.read("app", 3, "executor 7: Container killed for exceeding memory limits.", "p 3");
    assertThat(troubles.table().rows())
        .extracting(row -> row.get(1), row -> row.get(2))
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(Trouble.KILLED.words(), 1L),
            org.assertj.core.groups.Tuple.tuple(Trouble.LOST.words(), 1L));
  }

  @Test
  void aTraceThatRepeatsItsMessageCountsOnce() {
    Troubles troubles = new Troubles();
    for (String line : new String[] {"ERROR X: a", "Caused by: b"}) {
      troubles.read("", 1, line + " Exception: Timeout waiting for connection from pool", "p 1");
    }
    assertThat(troubles.table().count(0, "times")).isEqualTo(1);
  }

  /** Half of all secret keys have a slash. */
  @ParameterizedTest
  @CsvSource({
    "No such file or directory: s3a://AKIAABCDEFGHIJKLMNOP:wJalr/K7MD@lake/t, wJalr",
    "No such file or directory: s3a://AKIAABCDEFGHIJKLMNOP:wJalr/K7MD@lake/t, K7MD",
    "Unable to load credentials; session=FwoGZXIvYXdz x, FwoGZX",
  })
  void anExampleHasNoSecret(String line, String secret) {
    Troubles troubles = new Troubles();
    troubles.read("", 1, "ERROR Exception: " + line, "");
    assertThat(troubles.table().text(0, "example")).isNotEmpty().doesNotContain(secret);
  }

  /** YARN's allocator names no executor, and says each kill once. */
  @Test
  void killsWithoutANameAreCounted() {
    Troubles troubles = new Troubles();
    for (int i = 0; i < 3; i++) {
      String used = " Container killed by YARN for exceeding memory limits. 8." + i + " GB of 8 GB";
      troubles.read("app", 1_000_000, "WARN YarnAllocator:" + used, "p 1");
    }
    assertThat(troubles.table().count(0, "times")).isEqualTo(3);
  }
}
