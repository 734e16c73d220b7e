/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailRunTest {
  private static TailRow row(List<TailRow> rows, String policy) {
    return rows.stream().filter(row -> row.policy().equals(policy)).findFirst().orElseThrow();
  }

  @Test
  void penstockKeepsTheTailShortWithinItsBudget() {
    List<TailRow> rows = new TailRun(1_000_000, 1, 0).run(done -> {});

    TailRow none = row(rows, "none");
    Spread published = Spread.published(1_000_000);
    assertThat(none.spread().p25Millis()).isCloseTo(published.p25Millis(), within(1.0));
    assertThat(none.spread().p50Millis()).isCloseTo(published.p50Millis(), within(1.0));
    assertThat(none.spread().p95Millis()).isCloseTo(published.p95Millis(), within(20.0));
    assertThat(none.spread().over5Seconds()).isCloseTo(published.over5Seconds(), within(200.0));
    assertThat(none.spread().over10Seconds()).isCloseTo(published.over10Seconds(), within(160.0));
    assertThat(none.p99Seconds()).isCloseTo(2.27, within(0.05));
    assertThat(none.p999Seconds()).isCloseTo(10.7, within(0.2));
    assertThat(none.extraPercent()).isZero();

    TailRow penstock = row(rows, "penstock");
    assertThat(penstock.p999Seconds()).isLessThanOrEqualTo(2.1);
    assertThat(penstock.maxSeconds()).isLessThanOrEqualTo(6);
    assertThat(penstock.extraPercent()).isLessThanOrEqualTo(2.1);
    assertThat(penstock.slowestTaskSeconds()).isLessThan(none.slowestTaskSeconds() / 2);
  }

  @Test
  void aTailThatComesTwiceForTheSameRequestIsShortenedToo() {
    TailRow penstock = row(new TailRun(300_000, 1, 0.2).run(done -> {}), "penstock");
    assertThat(penstock.p999Seconds()).isLessThan(3.5);
    assertThat(penstock.extraPercent()).isLessThanOrEqualTo(2.2);
  }

  @Test
  void theSameSeedGivesTheSameNumbers() {
    TailRun run = new TailRun(50_000, 7, 0.3);
    assertThat(run.run(done -> {})).isEqualTo(run.run(done -> {}));
    assertThat(run.run(done -> {})).isNotEqualTo(new TailRun(50_000, 8, 0.3).run(done -> {}));
  }

  @Test
  void progressIsTold() {
    List<Long> told = new ArrayList<>();
    new TailRun(1_000_001, 1, 0).run(told::add);
    assertThat(told).containsExactly(500_000L, 1_000_000L);
  }

  @Test
  void theNormalTailIsThatOfTheTables() {
    assertThat(NormalTail.above(0)).isCloseTo(0.5, within(1e-9));
    assertThat(NormalTail.above(1.959963984540054)).isCloseTo(0.025, within(1e-7));
    assertThat(NormalTail.above(-1.2815515655446004)).isCloseTo(0.9, within(1e-7));
    assertThat(NormalTail.above(4.753424308822899)).isCloseTo(1e-6, within(1e-9));
  }

  @Test
  void aTallyIsExactToATwoThousandth() {
    TailHistogram tally = new TailHistogram();
    for (int i = 1; i <= 10_000; i++) {
      tally.add(i * 1_000_000L);
    }
    assertThat(tally.seconds(0.5)).isCloseTo(5, within(0.0025));
    assertThat(tally.seconds(0.999)).isCloseTo(9.99, within(0.005));
    assertThat(tally.maxSeconds()).isEqualTo(10);
    assertThat(tally.spread().over5Seconds()).isEqualTo(5_000);
    assertThat(tally.spread().over10Seconds()).isZero();
    assertThat(tally.spread().p25Millis()).isCloseTo(2_500, within(2.0));
  }
}
