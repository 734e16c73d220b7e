/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedRunTest {
  @ParameterizedTest
  @CsvSource({
    "1, 148024, 0, 0.00",
    "2, 148024, 0, 0.00",
    "3, 211481, 1859, 1.04",
    "4, 209932, 310, 0.17",
    "5, 407172, 24795, 6.62",
    "6, 385828, 3451, 0.98",
    "7, 850365, 119525, 14.62",
    "8, 735543, 4703, 0.67",
    "9, 2302686, 532682, 23.46",
    "10, 1779708, 9704, 0.56",
  })
  void theSumsAreThePublishedOnes(int row, long requests, long throttled, double percent) {
    Counts counts = PublishedRun.of(row).counts();
    assertThat(counts.requests()).isEqualTo(requests);
    assertThat(counts.allThrottled()).isEqualTo(throttled);
    assertThat(100.0 * throttled / counts.writes()).isCloseTo(percent, within(0.005));
  }

  @Test
  void ofAllRequestsFewerAreThrottledThanOfTheWrites() {
    Counts counts = PublishedRun.of(9).counts();
    assertThat(counts.writes()).isEqualTo(2_270_155);
    assertThat(100.0 * counts.allThrottled() / counts.requests()).isCloseTo(23.13, within(0.005));
  }

  @Test
  void eachFileTakesThreeWritesThatSucceed() {
    PublishedRun run = PublishedRun.of(9);
    assertThat(run.files()).isEqualTo(579_158);
    assertThat(run.counts().succeeded(Call.CREATE)).isEqualTo(579_157);
    assertThat(run.counts().succeeded(Call.PART)).isEqualTo(579_159);
    assertThat(run.counts().succeeded(Call.COMPLETE)).isEqualTo(579_157);
  }

  @Test
  void theScaleOneIsExact() {
    Counts counts = PublishedRun.of(9).counts();
    Counts same = counts.scaledTo(2_302_686);
    assertThat(same.throttled(Call.CREATE)).isEqualTo(47_089);
    assertThat(same.throttled(Call.PART)).isEqualTo(149_644);
    assertThat(same.throttled(Call.COMPLETE)).isEqualTo(335_949);
    assertThat(same).isEqualTo(counts);
  }

  @Test
  void aSmallJobHasTheSameShares() {
    Counts small = PublishedRun.of(9).counts().scaledTo(20_000);
    assertThat(small.requests()).isEqualTo(20_000);
    assertThat(100.0 * small.allThrottled() / small.writes()).isCloseTo(23.46, within(0.01));
  }

  @Test
  void thereAreTenRows() {
    assertThatThrownBy(() -> PublishedRun.of(11))
        .hasMessage("the published benchmark has the rows 1 to 10, not 11");
  }
}
