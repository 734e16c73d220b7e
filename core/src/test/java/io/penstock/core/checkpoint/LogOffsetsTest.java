/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogOffsetsTest {
  private static LogOffsets of(String... sources) {
    String text = "v1\n{\"batchWatermarkMs\":0}\n" + String.join("\n", sources);
    return LogOffsets.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void fileSourcesAreKnownByTheirPositionAmongAllSources() {
    assertThat(of("{\"logOffset\":5}", "-", "{\"topic\":{\"0\":7}}", "{ \"logOffset\" : 0 }"))
        .isEqualTo(new LogOffsets(Map.of("0", 5L, "3", 0L)));
  }

  @Test
  void namedSourcesAreKnownByTheirName() {
    assertThat(of("orders:{\"logOffset\":5}", "a/b:{\"logOffset\":5}", "c:12"))
        .isEqualTo(new LogOffsets(Map.of("orders", 5L)));
  }

  @Test
  void anyOtherTextHasNoFileSource() {
    for (String text : new String[] {"", "v1", "v1\n", "\0\0\0", "v1\n{}\n{\"logOffset\":\"x\"}"}) {
      assertThat(LogOffsets.of(text.getBytes(StandardCharsets.UTF_8)).entries()).isEmpty();
    }
  }

  @Test
  void anEntryBeforeThatOfTheLastBatchGoesBack() {
    LogOffsets before = of("{\"logOffset\":5}", "{\"logOffset\":6}");
    assertThat(of("{\"logOffset\":5}", "{\"logOffset\":5}").backwardFrom(before))
        .contains(new LogOffsets.Backward("1", 6, 5));
    assertThat(of("{\"logOffset\":5}", "{\"logOffset\":7}").backwardFrom(before)).isEmpty();
  }

  @Test
  void aSourceThatIsNewOrGoneDoesNotGoBack() {
    LogOffsets before = of("{\"logOffset\":5}", "12");
    assertThat(of("12", "{\"logOffset\":0}").backwardFrom(before)).isEmpty();
  }
}
