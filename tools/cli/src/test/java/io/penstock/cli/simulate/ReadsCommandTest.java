/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadsCommandTest {
  @Test
  void eachNumberOfSlotsIsARowAndTheTableFitsATerminal() {
    Ran ran = Ran.penstock("simulate", "reads", "--slots=1,64", "--ranges=64");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    assertThat(ran.lines()).filteredOn(line -> line.matches(" *(1|64) .* s .*")).hasSize(2);
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void theSameSeedPrintsTheSame() {
    String[] arguments = {"simulate", "reads", "--slots=4", "--latency=s3", "--seed=3"};
    assertThat(Ran.penstock(arguments).out()).isEqualTo(Ran.penstock(arguments).out());
  }

  @ParameterizedTest
  @CsvSource({
    "--slots=0, '--slots must be from 1 to 1,000, got 0'",
    "--range=big, --range=big",
    "--latency=slow, slow",
    "--ranges=0, --ranges must be at least 1",
  })
  void aWrongValueIsNamed(String option, String complaint) {
    Ran ran = Ran.penstock("simulate", "reads", option);
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint()).contains(complaint);
  }
}
