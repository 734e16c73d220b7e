/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineDeciderTest {
  private static final long MS = 1_000_000;
  private static final Operation PART = Operation.UPLOAD_PART;
  private static final long MIB = 1 << 20;

  private final LatencyModel model = new LatencyModel(0.98);
  private final DeadlineDecider decider = decider(true);

  private DeadlineDecider decider(boolean enabled) {
    return new DeadlineDecider(
        new DeadlineConfig(enabled, Duration.ofSeconds(10), Duration.ofSeconds(10)), model);
  }

  private void learn(int samples, long millis) {
    for (int i = 0; i < samples; i++) {
      model.took(PART, MIB, millis * MS, 0);
    }
  }

  /**
   * Makes attempts that would take this long until one is answered.
   *
   * @return how many were cut before
   */
  private int cutsUntilAnAnswer(long trueMillis) {
    int cuts = 0;
    while (decider.deadlineNanos(PART, MIB) < trueMillis * MS) {
      long deadline = decider.deadlineNanos(PART, MIB);
      model.tookAtLeast(PART, MIB, deadline, 0);
      decider.cut(PART, MIB, cuts, cuts + 1);
      cuts++;
    }
    model.took(PART, MIB, trueMillis * MS, 0);
    decider.answered(PART, MIB);
    return cuts;
  }

  @Test
  void theFirstRequestsHaveTenSecondsAndASecondForEachMiB() {
    assertThat(decider.deadlineNanos(Operation.HEAD, 0)).isEqualTo(10_000 * MS);
    assertThat(decider.deadlineNanos(PART, 64 * MIB)).isEqualTo(74_000 * MS);
  }

  @Test
  void aKnownKindIsCutAtSixTimesItsP95() {
    learn(200, 500);
    assertThat(decider.deadlineNanos(PART, MIB)).isBetween(2_970 * MS, 3_030 * MS);
  }

  @Test
  void aLittleKnownKindIsCutAtTenTimesItsP90AndNotBeforeTwoSeconds() {
    learn(32, 500);
    assertThat(decider.deadlineNanos(PART, MIB)).isBetween(4_950 * MS, 5_050 * MS);
    learn(32, 20);
    assertThat(decider.deadlineNanos(PART, MIB)).isBetween(2_000 * MS, 5_050 * MS);
  }

  @Test
  void noDeadlineIsUnderASecondHoweverFastTheStoreIs() {
    learn(200, 5);
    assertThat(decider.deadlineNanos(PART, MIB)).isEqualTo(1_000 * MS);
  }

  @Test
  void noDeadlineIsOverTheMostHoweverSlowTheStoreIs() {
    learn(200, 5_000);
    assertThat(decider.deadlineNanos(PART, MIB)).isEqualTo(11_000 * MS);
  }

  @Test
  void aLinkThreeTimesSlowerThanTheDeadlineIsServedWithinFiveAttempts() {
    learn(10_000, 5);
    assertThat(cutsUntilAnAnswer(3_000)).isLessThanOrEqualTo(4);
    int more = 0;
    for (int i = 0; i < 10_000; i++) {
      more += cutsUntilAnAnswer(3_000);
    }
    assertThat(more).as("cuts in 10,000 requests at the new speed").isLessThanOrEqualTo(10);
  }

  @Test
  void evenTheMostGivesWayWhenNothingIsAnsweredWithinIt() {
    learn(10_000, 2_000);
    assertThat(cutsUntilAnAnswer(40_000)).isLessThanOrEqualTo(6);
  }

  @Test
  void aBurstOfCutsStretchesOnce() {
    learn(200, 500);
    long before = decider.deadlineNanos(PART, MIB);
    for (int i = 0; i < 64; i++) {
      decider.cut(PART, MIB, 0, 3_000 * MS + i);
    }
    assertThat(decider.deadlineNanos(PART, MIB)).isEqualTo(before * 3 / 2);
  }

  @Test
  void oneCutInAHundredIsNoReasonAndAStretchFades() {
    learn(200, 500);
    long before = decider.deadlineNanos(PART, MIB);
    for (int i = 0; i < 1_000; i++) {
      decider.answered(PART, MIB);
      if (i % 125 == 0) {
        decider.cut(PART, MIB, i, i);
      }
    }
    assertThat(decider.deadlineNanos(PART, MIB)).isEqualTo(before);
    decider.cut(PART, MIB, 2_000, 2_000);
    decider.cut(PART, MIB, 2_001, 2_001);
    assertThat(decider.deadlineNanos(PART, MIB)).isEqualTo(before * 3 / 2);
    for (int i = 0; i < 10_000; i++) {
      decider.answered(PART, MIB);
    }
    assertThat(decider.deadlineNanos(PART, MIB)).isEqualTo(before);
  }

  @Test
  void disabledThereIsNone() {
    assertThat(decider(false).deadlineNanos(PART, MIB)).isEqualTo(Long.MAX_VALUE);
    assertThat(decider(false).stallNanos()).isEqualTo(Long.MAX_VALUE);
  }
}
