/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * One thread, one file: what it did last holds, also if the store acts on an earlier request late.
 */
@EnabledIfSystemProperty(named = "penstock.test.long", matches = "true")
class LateOwnRequestsTest {
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 =
        new EmbeddedFs(
            EmbeddedS3.builder().bucket("lake").start(),
            Map.of("penstock.hedge.enabled", "true", "penstock.deadline.enabled", "true"));
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  private void weather(String faults) {
    s3.s3.weather(Weather.CALM.withFaults(faults).actingForTheGone());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The deadline cuts a DELETE that the store has, and carries out five seconds later. */
  @Test
  void aFileThatIsWrittenAfterADeletionStays() throws Exception {
    for (int i = 0; i < 40; i++) {
      s3.write("t/f", bytes("x"));
      s3.fs.delete(EmbeddedFs.path("t/f"), false);
    }
    s3.write("t/f", bytes("old"));
    weather("DeleteObject#1=stall:6s");
    s3.fs.delete(EmbeddedFs.path("t/f"), false);
    weather("");
    s3.write("t/f", bytes("new"));
    assertThat(s3.read("t/f")).isEqualTo(bytes("new"));
    Thread.sleep(7_000);
    assertThat(s3.fs.exists(EmbeddedFs.path("t/f"))).as("written after the deletion").isTrue();
  }

  /** A lock: created only if it is not there, and deleted by its owner. */
  @Test
  void aLockThatWasGivenBackStaysFree() throws Exception {
    for (int i = 0; i < 40; i++) {
      s3.fs.create(EmbeddedFs.path("t/lock"), false).close();
      s3.fs.delete(EmbeddedFs.path("t/lock"), false);
    }
    weather("PutObject#1=stall:6s");
    s3.fs.create(EmbeddedFs.path("t/lock"), false).close();
    weather("");
    s3.fs.delete(EmbeddedFs.path("t/lock"), false);
    assertThat(s3.fs.exists(EmbeddedFs.path("t/lock"))).isFalse();
    Thread.sleep(7_000);
    assertThat(s3.fs.exists(EmbeddedFs.path("t/lock"))).as("given back").isFalse();
  }

  /** A log that is rolled: renamed, and begun anew. */
  @Test
  void aFileThatIsBegunAnewAfterARenameStays() throws Exception {
    for (int i = 0; i < 40; i++) {
      s3.write("t/f", bytes("x"));
      s3.fs.delete(EmbeddedFs.path("t/f"), false);
    }
    s3.write("t/log", bytes("old"));
    weather("DeleteObject#1=stall:6s");
    assertThat(s3.fs.rename(EmbeddedFs.path("t/log"), EmbeddedFs.path("t/log.1"))).isTrue();
    weather("");
    s3.write("t/log", bytes("new"));
    Thread.sleep(7_000);
    assertThat(s3.fs.exists(EmbeddedFs.path("t/log"))).as("begun anew").isTrue();
  }

  /** fs.delete(out, true), and then a job that writes part-00000 to it. */
  @Test
  void aDirectoryThatIsWrittenAnewStays() throws Exception {
    for (int i = 0; i < 40; i++) {
      s3.write("out/part-00000", bytes("x"));
      s3.write("out/part-00001", bytes("x"));
      s3.fs.delete(EmbeddedFs.path("out"), true);
    }
    s3.write("out/part-00000", bytes("old"));
    s3.write("out/part-00001", bytes("old"));
    weather("DeleteObjects#1=stall:6s");
    s3.fs.delete(EmbeddedFs.path("out"), true);
    weather("");
    s3.write("out/part-00000", bytes("new"));
    s3.write("out/part-00001", bytes("new"));
    Thread.sleep(7_000);
    assertThat(s3.listFiles("out")).containsExactly("out/part-00000", "out/part-00001");
  }
}
