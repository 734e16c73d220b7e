/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTextTest {
  @Test
  void anExceptionIsItsNameAndTheFirstLine() {
    assertThat(
            task(
                Map.of(
                    "Reason",
                    "ExceptionFailure",
                    "Class Name",
                    "java.lang.IllegalStateException",
                    "Description",
                    "no more\n\tat x.Y")))
        .isEqualTo("IllegalStateException: no more");
  }

  @Test
  void ofPythonItIsTheEndOfTheTraceback() {
    assertThat(
            task(
                Map.of(
                    "Reason",
                    "ExceptionFailure",
                    "Class Name",
                    "org.apache.spark.api.python.PythonException",
                    "Description",
                    """
                    Traceback (most recent call last):
                      File "a.py", line 3
                        raise X
                    ValueError: boom
                    """)))
        .isEqualTo("PythonException: ValueError: boom");
  }

  @Test
  void aLostExecutorSaysWhy() {
    assertThat(
            task(
                Map.of(
                    "Reason",
                    "ExecutorLostFailure",
                    "Executor ID",
                    "3",
                    "Loss Reason",
                    "Command exited with code 137")))
        .isEqualTo("executor 3 lost: Command exited with code 137");
  }

  /** Spark says of most failed writes only that a task failed while it wrote rows. */
  @Test
  void theDeepestCauseIsTold() {
    String trace =
        """
        org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed
        \tat x.Y
        Caused by: a.b.AWSServiceThrottledException: Writing Object on x
        \t... 9 more
        Caused by: c.d.S3Exception: Please reduce your request rate.
        \t... 8 more
        """;
    Map<String, Object> reason =
        Map.of(
            "Reason",
            "ExceptionFailure",
            "Class Name",
            "org.apache.spark.SparkException",
            "Description",
            "[TASK_WRITE_FAILED] Task failed " + "x".repeat(100),
            "Full Stack Trace",
            trace);

    assertThat(task(reason))
        .startsWith("SparkException: [TASK_WRITE_FAILED] Task failed xxx")
        .endsWith("…; caused by S3Exception: Please reduce your request rate.");
  }

  /** A password whose end is cut off looks like none. */
  @Test
  void aSecretIsTakenOutBeforeAnErrorIsCut() {
    for (int length = 30; length < 100; length++) {
      Map<String, Object> reason =
          Map.of(
              "Reason",
              "ExceptionFailure",
              "Class Name",
              "E",
              "Description",
              "x".repeat(length) + " jdbc:p://user:S3cretPass1@db" + "y".repeat(200),
              "Full Stack Trace",
              "Caused by: java.io.IOException: jdbc:p://user:S3cretPass1@db");
      assertThat(task(reason)).as("%d", length).doesNotContain("S3cret");
    }
  }

  @ParameterizedTest
  @CsvSource({"Success", "TaskKilled"})
  void whatDidNotFailHasNoReason(String reason) {
    assertThat(task(Map.of("Reason", reason))).isNull();
  }

  @Test
  void secretsAreNotShown() {
    assertThat(FailureText.of("failed: password=hunter2\nmore")).doesNotContain("hunter2");
  }

  private static String task(Map<String, Object> reason) {
    return FailureText.ofTask(new SparkEvent(reason));
  }
}
