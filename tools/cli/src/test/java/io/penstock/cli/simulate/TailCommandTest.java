/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailCommandTest {
  @Test
  void allTablesFitATerminalAndNameEveryPolicy() {
    Ran ran = Ran.penstock("simulate", "tail", "--requests=200000");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    for (String policy : new String[] {"none", "timeout 5 s", "hedge p95, 2 %", "penstock"}) {
      assertThat(ran.lines()).filteredOn(line -> line.contains(policy)).hasSize(3);
    }
    assertThat(ran.lines().get(2)).startsWith("  published");
    assertThat(ran.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "csv", "md"})
  void theSameSeedPrintsTheSame(String format) {
    String[] arguments = {
      "simulate", "tail", "--requests=20000", "--seed=3", "--rho=0.2", "--format=" + format
    };
    assertThat(Ran.penstock(arguments).out()).isEqualTo(Ran.penstock(arguments).out());
  }

  @Test
  void csvHasACellForEachColumn() {
    Ran ran = Ran.penstock("simulate", "tail", "--requests=1000", "--format=csv");
    assertThat(ran.lines().get(0))
        .isEqualTo("\"policy\",p25 ms,p50,p95,> 5 s,> 10 s,> 30 s,> 60 s,extra %");
    assertThat(ran.lines().get(1)).matches("\"published\",48,80,880(,[0-9]+){4},-");
    assertThat(ran.lines().get(2)).matches("\"none\"(,[0-9.]+){8}");
    assertThat(ran.lines().get(10)).matches("\"none\"(,[0-9.]+){4}");
    assertThat(ran.lines().get(18)).startsWith("\"none\",-,-,");
  }

  @Test
  void markdownIsATable() {
    Ran ran = Ran.penstock("simulate", "tail", "--requests=1000", "--format=md");
    assertThat(ran.lines().get(1)).isEqualTo("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    assertThat(ran.lines().get(2)).startsWith("| published | 48 | 80 | 880 | ");
    assertThat(ran.lines().get(3)).startsWith("| none | ").endsWith(" | 0.00 |");
  }

  @Test
  void aCorrelationOfOneIsRefused() {
    Ran ran = Ran.penstock("simulate", "tail", "--rho=1");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint()).contains("rho must be in [0, 1), got 1.0");
  }
}
