/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.Counts;
import io.penstock.loggen.plan.LogForm;
import io.penstock.loggen.plan.LogScenario;
import io.penstock.loggen.plan.LogSetOptions;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.PublishedRun;
import io.penstock.loggen.plan.TaskPlacement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrawTest {
  private final Map<Call, Long> succeeded = new EnumMap<>(Call.class);
  private final Map<Call, Long> throttled = new EnumMap<>(Call.class);
  private final Map<Integer, Integer> throttledBySecond = new HashMap<>();

  private static Plan plan(LogScenario scenario, int run, long requests, long seed, int prefixes) {
    return new Plan(
        new LogSetOptions(
            scenario,
            run,
            requests,
            seed,
            Set.of(LogForm.ACCESS_LOG),
            false,
            0,
            prefixes,
            true,
            1));
  }

  private Counts draw(Plan plan) {
    succeeded.clear();
    throttled.clear();
    TaskPlacement fleet = new TaskPlacement(plan);
    Slowness slowness = new Slowness(plan);
    for (int chunk = 0; chunk < plan.chunks(); chunk++) {
      Draw draw = new Draw(plan, fleet, slowness, chunk, new WrittenCounts(1, 1));
      long from = plan.chunkStart(chunk);
      long to = plan.chunkEnd(chunk);
      CallBatch batch = plan.isReadChunk(chunk) ? draw.reads(from, to) : draw.uploads(from, to);
      for (int i = 0; i < batch.size(); i++) {
        (batch.isThrottled(i) ? throttled : succeeded).merge(batch.call(i), 1L, Long::sum);
        if (batch.isThrottled(i)) {
          throttledBySecond.merge((int) (batch.millis(i) / 1_000), 1, Integer::sum);
        }
      }
    }
    succeeded.values().removeIf(n -> n == 0);
    return new Counts(succeeded, throttled);
  }

  private static Counts wanted(Plan plan) {
    Map<Call, Long> some = new EnumMap<>(plan.counts().succeeded());
    some.values().removeIf(n -> n == 0);
    return new Counts(some, plan.counts().throttled());
  }

  @Test
  void theCountsAreExactForAnySizeSeedAndNumberOfPrefixes() {
    for (int i = 0; i < 300; i++) {
      int run = 1 + i % 10;
      Plan plan = plan(LogScenario.THROTTLED, run, 1_000 + 37L * i, i, 1 + i % 7);
      assertThat(draw(plan))
          .as("row %d, %d requests", run, 1_000 + 37L * i)
          .isEqualTo(wanted(plan));
    }
  }

  @Test
  void theCountsOfATailAreExactToo() {
    for (int i = 0; i < 50; i++) {
      Plan plan = plan(LogScenario.TAIL, 9, 1_000 + 977L * i, i, 1 + i % 3);
      assertThat(draw(plan)).as("%d requests", 1_000 + 977L * i).isEqualTo(wanted(plan));
    }
  }

  @Test
  void theWholePublishedJobIsThrottledWhenItWas() {
    Plan plan = plan(LogScenario.THROTTLED, 9, 2_302_686, 1, 1);
    assertThat(draw(plan)).isEqualTo(PublishedRun.of(9).counts());

    assertThat(mean(0, 66)).isZero();
    assertThat(mean(80, 110)).isBetween(800.0, 950.0);
    assertThat(mean(280, 460)).isBetween(370.0, 430.0);
    assertThat(mean(750, 800)).isBetween(530.0, 610.0);
    assertThat(mean(1_250, 1_280)).isBetween(130.0, 200.0);
  }

  private double mean(int from, int to) {
    double sum = 0;
    for (int second = from; second < to; second++) {
      sum += throttledBySecond.getOrDefault(second, 0);
    }
    return sum / (to - from);
  }
}
