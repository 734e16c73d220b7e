/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadPlannerTest {
  /** Random reads of 10 at least, sequential ones from 100 up to 800. */
  private static final ReadConfig CONFIG = new ReadConfig(10, 100, 800, 1, 1, 1 << 20);

  @ParameterizedTest(name = "{0}: {1} -> {2}")
  @CsvSource({
    // policy, position:length of each read, planned range of each; + when it reads ahead
    "ADAPTIVE, 0:5, 0-100",
    "ADAPTIVE, 0:500, 0-500",
    "ADAPTIVE, 0:5 100:5 300:5 700:5 1500:5, 0-100 100-300+ 300-700+ 700-1500+ 1500-2300+",
    "ADAPTIVE, 0:5 5000:5, 0-100 5000-5010",
    "ADAPTIVE, 0:5 5000:70, 0-100 5000-5070",
    "ADAPTIVE, 9995:5 0:5, 9995-10000 0-10",
    "ADAPTIVE, 0:5 5000:5 5010:5 5020:5 5030:5 5230:5,"
        + " 0-100 5000-5010 5010-5020 5020-5030 5030-5230+ 5230-5630+",
    "ADAPTIVE, 0:5 100:5 300:5 5000:5 5010:5, 0-100 100-300+ 300-700+ 5000-5010 5010-5020",
    "RANDOM, 0:5 10:5 20:5 30:5 40:5, 0-10 10-20 20-30 30-40 40-50",
    "RANDOM, 0:500, 0-500",
    "RANDOM, 9985:3 9991:3 9999:1, 9985-9995 9990-10000 9990-10000",
    "ADAPTIVE, 0:5 9999:1, 0-100 9990-10000",
    "SEQUENTIAL, 0:5 5000:5 5100:5, 0-100 5000-5100 5100-5300+",
    "SEQUENTIAL, 9950:5, 9950-10000",
  })
  void eachReadIsPlannedFromThoseBefore(ReadPolicy policy, String reads, String plans) {
    ReadPlanner planner = new ReadPlanner(CONFIG, policy);
    List<String> planned = new ArrayList<>();
    for (String read : reads.split(" ", -1)) {
      long[] numbers = Arrays.stream(read.split(":", -1)).mapToLong(Long::parseLong).toArray();
      ByteRange range = planner.plan(numbers[0], numbers[1], 10_000);
      planned.add("%d-%d%s".formatted(range.start(), range.end(), planner.readsAhead() ? "+" : ""));
    }
    assertThat(String.join(" ", planned)).isEqualTo(plans);
  }
}
