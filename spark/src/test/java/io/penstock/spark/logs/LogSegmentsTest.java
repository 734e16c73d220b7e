/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LogSegmentsTest {
  private static final String LINE = "x".repeat(999) + "\n";

  private final Map<Integer, String> files = new TreeMap<>();
  private final LogSegments log = new LogSegments(this::write);
  private boolean isDown;
  private int writes;

  private void write(int number, byte[] content) throws IOException {
    if (isDown) {
      throw new IOException("the store is down");
    }
    writes++;
    files.put(number, new String(content, StandardCharsets.UTF_8));
  }

  private void add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    log.add(bytes, 0, bytes.length);
  }

  private String all() {
    return String.join("", files.values());
  }

  @Test
  void aFileIsWrittenAgainWhileItGrowsAndOnlyThen() throws IOException {
    log.write();
    add("a\n");
    log.write();
    add("b\n");
    log.write();
    log.write();

    assertThat(files).containsExactly(Map.entry(1, "a\nb\n"));
    assertThat(writes).isEqualTo(2);
  }

  @Test
  void filesEndAtTheEndOfALine() throws IOException {
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 7_000; i++) {
      add(LINE);
      expected.append(LINE);
      if (i % 1_500 == 0) {
        log.write();
      }
    }
    log.write();

    assertThat(all()).isEqualTo(expected.toString());
    assertThat(files).hasSize(4);
    assertThat(files.values()).allSatisfy(file -> assertThat(file).endsWith("\n"));
  }

  @Test
  void aLineThatIsLongerThanAFileIsCut() throws IOException {
    String line = "y".repeat(LogSegments.FULL + 10) + "\n";
    add(line);
    log.write();
    assertThat(files).hasSize(2);
    assertThat(all()).isEqualTo(line);
  }

  @Test
  void whatWasNotWrittenIsWrittenLater() throws IOException {
    add("a\n");
    isDown = true;
    assertThatThrownBy(log::write).hasMessage("the store is down");
    add("b\n");
    isDown = false;
    log.write();
    assertThat(all()).isEqualTo("a\nb\n");
  }

  @Test
  void duringAnOutageLinesAreLeftOutAndCounted() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      add(LINE);
    }
    assertThat(log.isFull()).isTrue();
    log.write();
    add("after\n");
    log.write();

    assertThat(all()).hasSizeLessThanOrEqualTo(2 * LogSegments.FULL + 200);
    int kept = 2 * LogSegments.FULL / LINE.length();
    assertThat(all())
        .endsWith(
            LINE
                + "(%d lines are missing here: the log grew faster than it was written)%nafter\n"
                    .formatted(10_000 - kept));
  }
}
