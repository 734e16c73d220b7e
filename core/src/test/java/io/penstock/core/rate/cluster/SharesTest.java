/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.rate.cluster.ClusterRate.Executor;
import io.penstock.core.rate.report.Share;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Shares of 1,000 requests a second, worked out by hand, so that no constant can drift. */
class SharesTest {
  private static final Offset<Double> EXACTLY = within(1e-6);

  private final Map<String, Executor> executors = new LinkedHashMap<>();
  private Shares shares = new Shares(1);

  private void executor(String name, double recentPerSecond, int waiting) {
    Executor executor = new Executor();
    executor.recentPerSecond = recentPerSecond;
    executor.waiting = waiting;
    executors.put(name, executor);
  }

  private Map<String, Share> limited(double sent, boolean isQuiet) {
    return shares.limited("p/", Share.Mode.PACED, 1_000, sent, isQuiet, executors);
  }

  private double rate(String name, double sent) {
    return limited(sent, false).get(name).rate();
  }

  @Test
  void anExecutorThatWantsLittleGetsItAndTheOthersShareTheRest() {
    executor("small", 100, 5);
    executor("large", 1_000, 0);
    // 1.2 x 100 + 2 x 5 + a tenth of the mean of 500; the large one wants 1.2 x 1,000 + 50.
    assertThat(rate("small", 1_000)).isCloseTo(180, EXACTLY);
    assertThat(rate("large", 1_000)).isCloseTo(820, EXACTLY);
  }

  @Test
  void whatNobodyWantsIsSharedOutEvenly() {
    executor("small", 100, 0);
    executor("large", 200, 0);
    // They want 120 + 50 and 240 + 50; of the other 540 each gets half.
    assertThat(rate("small", 1_000)).isCloseTo(440, EXACTLY);
    assertThat(rate("large", 1_000)).isCloseTo(560, EXACTLY);
  }

  @Test
  void nobodyGetsLessThanTheLeastRate() {
    shares = new Shares(300);
    executor("idle", 0, 0);
    executor("large", 5_000, 0);
    // The idle one wants the least rate, which is more than a tenth of the mean of 500.
    assertThat(rate("idle", 1_000)).isCloseTo(300, EXACTLY);
    assertThat(rate("large", 1_000)).isCloseTo(700, EXACTLY);
    executor("third", 5_000, 0);
    executor("fourth", 5_000, 0);
    assertThat(rate("large", 1_000)).as("a quarter is too little").isEqualTo(300);
  }

  private void tenIdleExecutors() {
    for (int i = 0; i < 10; i++) {
      executor("e" + i, 0, 0);
    }
  }

  @Test
  void farFromTheLimitEachMayUseThreeTimesItsShare() {
    tenIdleExecutors();
    assertThat(limited(100, false))
        .hasSize(10)
        .allSatisfy((name, share) -> assertThat(share).isEqualTo(paced(300)));
  }

  private static Share paced(double rate) {
    return new Share("p/", Share.Mode.PACED, rate);
  }

  @Test
  void farFromTheLimitNobodyMayUseMoreThanThereIsForAll() {
    executor("a", 10, 0);
    executor("b", 10, 0);
    assertThat(rate("a", 100)).isEqualTo(1_000);
  }

  @Test
  void theLimitIsFarUnder85PercentOfTheRateWhenNobodyWaits() {
    tenIdleExecutors();
    assertThat(rate("e0", 849)).isEqualTo(300);
    assertThat(rate("e0", 851)).isCloseTo(100, EXACTLY);
  }

  @Test
  void whereSomeWaitTheLimitIsFarUnder70Percent() {
    tenIdleExecutors();
    executor("e0", 0, 4); // 0.4 each
    assertThat(rate("e1", 699)).isEqualTo(300);
    assertThat(rate("e1", 701)).isLessThan(100);
    executor("e0", 0, 6); // 0.6 each
    assertThat(rate("e1", 699)).isLessThan(100);
  }

  @Test
  void fewerThanOneOfTwentyExecutorsWaitingCountsAsNobody() {
    for (int i = 0; i < 200; i++) {
      executor("e" + i, 0, 0);
    }
    executor("e0", 0, 9); // 0.045 each
    assertThat(rate("e1", 849)).isEqualTo(15); // 3 x 1,000 / 200
    executor("e0", 0, 11); // 0.055 each
    assertThat(rate("e1", 849)).isLessThan(5);
  }

  private double sumAfter(int periods, double sent, boolean isQuiet) {
    Map<String, Share> last = Map.of();
    for (int i = 0; i < periods; i++) {
      last = limited(sent, isQuiet);
    }
    return last.values().stream().mapToDouble(Share::rate).sum();
  }

  @Test
  void upTo30PercentAreSharedOutTwiceByTwoMoreEachTimeWhileSomeWaitAndNotAllIsUsed() {
    executor("a", 800, 9);
    executor("b", 100, 0);
    assertThat(sumAfter(1, 900, true)).isCloseTo(1_020, EXACTLY);
    assertThat(sumAfter(1, 900, true)).isCloseTo(1_040, EXACTLY);
    assertThat(sumAfter(12, 900, true)).isCloseTo(1_280, EXACTLY);
    assertThat(sumAfter(8, 900, true)).isCloseTo(1_300, EXACTLY);
  }

  @Test
  void whatIsSharedOutTwiceIsTakenBackByTwoPercentWhenAllIsUsedAndAtOnceWhenTheStoreThrottles() {
    executor("a", 800, 9);
    executor("b", 100, 0);
    sumAfter(20, 900, true);
    assertThat(sumAfter(1, 971, true)).as("97.1 % are all").isCloseTo(1_280, EXACTLY);
    assertThat(sumAfter(1, 969, true)).as("96.9 % are not").isCloseTo(1_300, EXACTLY);
    assertThat(sumAfter(1, 969, false)).isCloseTo(1_000, EXACTLY);
    assertThat(sumAfter(1, 1_000, true)).isCloseTo(1_000, EXACTLY);
  }

  @Test
  void withoutALimitEachMaySendWhatItLikes() {
    executor("a", 10, 0);
    assertThat(Shares.unlimited("p/", Share.Mode.CONTESTED, executors))
        .isEqualTo(Map.of("a", new Share("p/", Share.Mode.CONTESTED, Double.POSITIVE_INFINITY)));
  }
}
