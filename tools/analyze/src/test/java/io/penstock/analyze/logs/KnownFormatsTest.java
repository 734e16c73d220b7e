/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.sparklog.SparkEventLog;
import org.junit.jupiter.api.Test;

/** Files that look like two forms are the right one. */
class KnownFormatsTest {
  private static final String EVENT =
      "{\"eventVersion\":\"1.09\",\"eventSource\":\"s3.amazonaws.com\",\"eventName\":\"PutObject\",\"eventID\":\"e\"}";

  private static String titleOf(String text) {
    return new KnownFormats(new ClientFacts())
        .of("file", Head.of(text.getBytes(UTF_8)))
        .map(LogFormat::title)
        .orElse("none");
  }

  @Test
  void aLogThatQuotesAnEventIsStillALog() {
    String line = "24/06/04 14:40:12 WARN X: Timeout waiting for connection from pool\n";
    assertThat(titleOf(line + "24/06/04 14:40:13 INFO Handler: got " + EVENT + "\n" + line))
        .isEqualTo("log of a container or process");
  }

  @Test
  void anEventInsideOfAnotherIsWrapped() {
    assertThat(titleOf("{\"version\":\"0\",\"detail\":" + EVENT + "}"))
        .isEqualTo("CloudTrail (wrapped)");
    assertThat(titleOf("[{\"version\":\"0\",\"detail\":" + EVENT + "}]"))
        .isEqualTo("CloudTrail (wrapped)");
    assertThat(titleOf(EVENT + "\n" + EVENT)).isEqualTo("CloudTrail (lines)");
    assertThat(titleOf("{\"Records\":[" + EVENT + "]}")).isEqualTo("CloudTrail");
  }

  @Test
  void anEventLogMayHaveBlanks() {
    String start = "{\"Event\": \"SparkListenerLogStart\", \"Spark Version\": \"3.5.1\"}";
    assertThat(SparkEventLog.matches(Head.of(start.getBytes(UTF_8)))).isTrue();
  }
}
