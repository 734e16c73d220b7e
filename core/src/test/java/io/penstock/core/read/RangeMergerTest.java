/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeMergerTest {
  /** Ranges less than 10 apart are joined up to 100. */
  private static final RangeMerger MERGER = new RangeMerger(10, 100);

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource({
    "'', ''",
    "0-5, 0-5(1)",
    "0-5 5-9, 0-9(2)",
    "0-5 14-20, 0-20(2)",
    "0-5 15-20, 0-5(1) 15-20(1)",
    "0-5 14-20 29-30, 0-30(3)",
    "0-50 50-100, 0-100(2)",
    "0-50 50-101, 0-50(1) 50-101(1)",
    "0-500, 0-500(1)",
    "0-500 501-502, 0-500(1) 501-502(1)",
    "7-8 500-590 595-600 605-700, 7-8(1) 500-600(2) 605-700(1)",
  })
  void rangesCloseTogetherAreOneRequest(String wanted, String requests) {
    List<ByteRange> ranges =
        Arrays.stream(wanted.split(" ", -1)).filter(s -> !s.isEmpty()).map(s -> range(s)).toList();

    List<RangeMerger.Merged> merged = MERGER.merge(ranges);

    assertThat(
            merged.stream()
                .map(
                    m ->
                        "%d-%d(%d)"
                            .formatted(m.range().start(), m.range().end(), m.wanted().size()))
                .collect(Collectors.joining(" ")))
        .isEqualTo(requests);
    assertThat(merged.stream().flatMap(m -> m.wanted().stream())).containsExactlyElementsOf(ranges);
  }

  private static ByteRange range(String text) {
    int dash = text.indexOf('-');
    return new ByteRange(
        Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
  }
}
