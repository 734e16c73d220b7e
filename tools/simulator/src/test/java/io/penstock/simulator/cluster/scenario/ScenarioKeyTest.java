/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScenarioKeyTest {
  @ParameterizedTest
  @EnumSource(ScenarioKey.class)
  void theDocumentationSaysWhatEachKeyMeans(ScenarioKey key) {
    String usual = key.usual().isEmpty() ? "" : "`" + key.usual() + "`";
    String row = "| `%s` | %s | %s |".formatted(key.key(), usual, key.meaning());

    assertThat(Path.of("../../docs/simulator.md")).content().contains(row);
  }
}
