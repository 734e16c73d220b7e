/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logs of the default level tell of S3 in exceptions only. */
class ToldErrorsTest {
  private static final String EXECUTING = "Executing request PUT /lake/a%20b?uploadId=U HTTP/1.1";

  /** Lines of Spark 4.1.2 with S3A, before a server that throttles; nothing is logged at DEBUG. */
  @Test
  void throttlingStandsInExceptionsAtTheDefaultLevel() throws IOException {
    Logs logs =
        Logs.of("app-20240604144012-0003/7/stderr", Logs.resource("default-level-spark.log"));

    assertThat(logs.rows).isEmpty();
    assertThat(logs.facts.errors().table().rows())
        .containsExactly(
            List.of(
                "app-20240604144012-0003",
                503L,
                "SlowDown",
                5L,
                1L,
                2L,
                Instant.parse("2026-11-25T10:57:44Z"),
                Instant.parse("2026-11-25T10:57:45Z")));
  }

  @Test
  void structuredLogsAndThoseOfDockerNameThemToo() {
    // The word request is in the loggers' names as well.
    String answer =
        "Please reduce your request rate. (Service: S3, Status Code: 503, Request ID: %s)";
    Logs logs =
        Logs.of(
            """
            {"ts":"2024-06-04T14:40:12.500Z","level":"ERROR","msg":"m","exception":{"msg":"%s"}}
            {"log":"Caused by: %s\\n","stream":"stderr","time":"2024-06-04T14:40:13.500Z"}
            """
                .formatted(answer.formatted("A"), answer.formatted("B")));

    assertThat(logs.facts.errors().table().rows())
        .containsExactly(
            Arrays.asList(
                null,
                503L,
                "SlowDown",
                2L,
                0L,
                2L,
                Instant.parse("2024-06-04T14:40:12.500Z"),
                Instant.parse("2024-06-04T14:40:13.500Z")));
  }

  /** Fifty tasks may fail in one second, and the driver tells of each what its executor told. */
  @Test
  void troubleCountsForEachTaskThatFails() {
    StringBuilder log = new StringBuilder();
    for (int task = 0; task < 50; task++) {
      log.append(
          """
          24/06/04 14:40:13 WARN TaskSetManager: Lost task %1$d.0 in stage 3.0 (TID %1$d) (h executor 1): java.net.SocketException: Connection reset
          \tat a.b(C.java:1)
          Caused by: java.net.SocketException: Connection reset
          24/06/04 14:40:13 ERROR Executor: Exception in task %1$d.0 in stage 3.0 (TID %1$d)
          java.net.SocketException: Connection reset
          """
              .formatted(task));
    }
    assertThat(Logs.of(log.toString()).facts.troubles().table().count(0, "times")).isEqualTo(50);
  }

  /** An attempt without an answer tells nothing of the exceptions beside it. */
  @Test
  void anAttemptHidesNoExceptionOfAnother() {
    String error = "24/06/04 14:40:13 ERROR T: (Service: S3, Status Code: 503, Request ID: %s)%n";
    Logs logs =
        Logs.of(
            "Container: container_1717511234567_0042_01_000001 on a\n"
                + "24/06/04 14:40:12 DEBUG MainClientExec: "
                + EXECUTING
                + "\n"
                + error.formatted("A")
                + "Container: container_1717511234567_0042_01_000002 on a\n"
                + "24/06/04 14:40:12 DEBUG org.eclipse.jetty.server.request: hello\n"
                + error.formatted("B"));

    assertThat(logs.rows).hasSize(1);
    assertThat(logs.facts.errors().table().count(0, "answers")).isEqualTo(2);
  }

  /** A log with the SDK's lines has all attempts; its exceptions would tell them again. */
  @Test
  void aLogOfAttemptsIsNotReadForExceptions() throws IOException {
    Logs logs = Logs.of("", Logs.resource("sdk2-spark.log"));
    assertThat(logs.facts.errors().table().rows()).isEmpty();
  }
}
