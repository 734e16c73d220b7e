/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrefixCountsTest {
  private final PrefixCounts counts = new PrefixCounts();

  @Test
  void aPrefixThatShouldHaveMetThrottlesAndMetNoneIsApart() {
    counts.add("t/day=1/", 50, 50);
    counts.add("t/day=2/", 100, 0);
    assertThat(counts.review(List.of()).split()).containsExactly("t/day=2/");
  }

  @Test
  void tooFewRequestsProveNothing() {
    counts.add("t/day=1/", 900, 100);
    counts.add("t/day=2/", 90, 0);
    assertThat(counts.review(List.of()).split()).isEmpty();
  }

  @Test
  void theWidestPrefixWithoutThrottlesIsTaken() {
    counts.add("hot/", 100, 100);
    counts.add("cold/a/", 40, 0);
    counts.add("cold/b/", 40, 1);
    assertThat(counts.review(List.of()).split()).containsExactly("cold/");
  }

  @Test
  void oneThrottleMayBeChance() {
    counts.add("hot/", 100, 100);
    counts.add("cold/", 100, 2);
    assertThat(counts.review(List.of()).split()).isEmpty();
  }

  @Test
  void whatIsApartDoesNotDiluteTheRest() {
    counts.add("hot/", 60, 40);
    counts.add("cold/", 100_000, 0);
    counts.add("other/", 30, 0);
    PrefixCounts.Verdict verdict = counts.review(List.of("cold/"));
    assertThat(verdict.split()).as("30 of 131 were expected to meet 9").isEmpty();
    counts.add("other/", 30, 0);
    assertThat(counts.review(List.of("cold/")).split()).containsExactly("other/");
  }

  @Test
  void whatIsThrottledLikeTheRestJoinsItAgain() {
    counts.add("hot/", 60, 40);
    counts.add("apart/", 60, 40);
    assertThat(counts.review(List.of("apart/")).merge()).containsExactly("apart/");
  }

  @Test
  void countsFade() {
    counts.add("hot/", 50, 50);
    for (int i = 0; i < 20; i++) {
      counts.review(List.of());
    }
    counts.add("cold/", 100, 0);
    assertThat(counts.review(List.of()).split()).isEmpty();
  }

  @Test
  void keysOfTheBucketsTopHaveTheEmptyPrefix() {
    assertThat(PrefixCounts.prefixOf("a/b/c")).isEqualTo("a/b/");
    assertThat(PrefixCounts.prefixOf("c")).isEmpty();
  }
}
