/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedCommandTest {
  @Test
  void eachPublishedRunStandsBesideTheSimulatedOne() {
    Ran ran = Ran.penstock("simulate", "published");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    List<String> rows = ran.lines().stream().filter(line -> line.startsWith("  row")).toList();
    assertThat(rows).hasSize(15);
    assertThat(rows.get(12)).matches("  row9-10 +backoff +[0-9]+ +1,287 .*23\\.46.*");
    assertThat(rows.get(13)).contains("1,138 *");
  }
}
