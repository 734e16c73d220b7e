/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DriverHeapTest {
  /**
   * 300,000 requests of 6,000 executors, each for a query and a stage of its own, under 120,000
   * tables: the driver keeps at most 10,000 stages, 2,000 paths and 5,000 executors, and one sum
   * for the rest of each.
   */
  @Test
  void hundredsOfThousandsOfStagesFitIntoAHeapOf96Mebibytes() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-Xmx96m",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-cp",
                    System.getProperty("java.class.path"),
                    DriverHeap.class.getName()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    List<Long> counts = Stream.of(said.strip().split(" ")).map(Long::valueOf).toList();
    assertThat(counts.get(0)).isEqualTo(300_000);
    assertThat(counts.get(1)).isBetween(5_000L, 10_001L);
    assertThat(counts.get(2)).isBetween(1_000L, 2_001L);
    assertThat(counts.get(3)).isBetween(2_500L, 5_001L);
  }
}
