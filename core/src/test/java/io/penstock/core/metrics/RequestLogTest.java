/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.core.caller.Origin;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestLogTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.250Z");

  @TempDir Path directory;

  private static RequestEvent failed(String key) {
    return new RequestEvent(
        START,
        Operation.PUT,
        "lake",
        key,
        1_500_000,
        10,
        0,
        "THROTTLED",
        "",
        "",
        true,
        "4F2A",
        Optional.empty(),
        OptionalInt.empty(),
        "",
        Origin.NONE);
  }

  @Test
  void anAttemptIsOneLineOfJson() {
    assertThat(RequestLog.line(failed("day=1/part-7"), "node-1-77"))
        .isEqualTo(
            "{\"ts_ms\":1767225600250,\"op\":\"PUT\",\"bucket\":\"lake\",\"key\":\"day=1/part-7\",\"outcome\":\"THROTTLED\",\"total_us\":1500,\"sent_bytes\":10,\"received_bytes\":0,\"hedge\":true,\"req_id\":\"4F2A\",\"process\":\"node-1-77\"}\n");
  }

  @Test
  void anAttemptSaysForWhomItIsMadeAndWhatOfTheObjectItConcerns() {
    Origin.Task task = new Origin.Task(3, 1, 12, 417);
    RequestEvent part =
        new RequestEvent(
            START,
            Operation.UPLOAD_PART,
            "lake",
            "a",
            1_000,
            10,
            0,
            "OK",
            "",
            "",
            false,
            "",
            Optional.of(new ByteRange(4, 9)),
            OptionalInt.of(8),
            "S3A",
            new Origin("app-1", OptionalLong.of(7), Optional.of(task)));

    assertThat(RequestLog.line(part, "node-1-77"))
        .contains(
            ",\"range\":\"4-8\",\"part\":8,\"client\":\"S3A\",\"app\":\"app-1\",\"query\":7,\"stage\":3,\"stage_attempt\":1,\"partition\":12,\"task\":417,");
  }

  @Test
  void whateverAKeyHoldsTheLineStaysOneLineOfJson() {
    assertThat(RequestLog.line(failed("a\"b\\c\nd\u0000e\ud800f"), "node-1-77"))
        .contains("\"key\":\"a\\\"b\\\\c\\u000ad\\u0000e\\ud800f\"")
        .endsWith("}\n");
  }

  @Test
  void theFileIsWholeWhenTheLogIsClosed() throws IOException {
    Path file = directory.resolve("new/requests.jsonl");
    try (RequestLog log = new RequestLog(file, "node-1-77")) {
      log.happened(failed("a"));
      log.happened(RequestEvent.wait(START, Operation.GET, "lake", "b", 7_000, Origin.NONE));
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(Files.readAllLines(file).get(1)).contains("\"outcome\":\"WAITED\",\"total_us\":7");
  }

  /** A task that is killed while it waits for a permit tells of the wait. */
  @Test
  void anInterruptedThreadDoesNotEndTheLog() throws IOException {
    Path file = directory.resolve("requests.jsonl");
    try (RequestLog log = new RequestLog(file, "node-1-77")) {
      Thread.currentThread().interrupt();
      for (int i = 0; i < 10_000; i++) { // more than the buffer holds
        log.happened(failed("a"));
      }
      assertThat(Thread.interrupted()).as("kept").isTrue();
      log.happened(failed("last"));
    }
    assertThat(Files.readAllLines(file)).hasSize(10_001);
  }

  @Test
  void onlyTheOwnerCanReadTheKeysInTheFile() throws IOException {
    Path file = directory.resolve("requests.jsonl");
    assumeThat(file.getFileSystem().supportedFileAttributeViews()).contains("posix");
    new RequestLog(file, "node-1-77").close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void processesOfTheSameIdHaveFilesOfTheirOwn() {
    assertThat(RequestLog.name(START, "node-1.lan", 1))
        .isEqualTo("requests-20260101T000000Z-node-1.lan-1.jsonl");
    assertThat(RequestLog.name(START, "a/b", 1)).isEqualTo("requests-20260101T000000Z-a_b-1.jsonl");
  }

  @Test
  void whatIsInTheFileAlreadyStays() throws IOException {
    Path file = directory.resolve("requests.jsonl");
    for (String key : new String[] {"first", "second"}) {
      try (RequestLog log = new RequestLog(file, "node-1-77")) {
        log.happened(failed(key));
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(Files.readAllLines(file).get(0)).contains("\"key\":\"first\"");
  }
}
