/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.run.Campaign;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The model with fitted constants against all ten published runs. */
class PublishedJobTest {
  /** No run differs by more, in percent of its time and in points of its throttled share. */
  private static final double TIME_PERCENT = 20;

  private static final double SHARE_POINTS = 3.5;

  @Test
  void theTimesAndSharesOfAllRunsAreNearThePublishedOnes() throws InterruptedException {
    List<Campaign.Run> runs = new ArrayList<>();
    for (PublishedJob job : PublishedJob.ALL) {
      Scenario scenario = job.fitted();
      runs.add(new Campaign.Run(scenario, SendPolicy.BACKOFF, 1));
      runs.add(new Campaign.Run(scenario, SendPolicy.AIMD, 1));
    }
    List<ClusterOutcome> outcomes = Campaign.run(runs, 2, left -> {});

    SoftAssertions all = new SoftAssertions();
    double sum = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      ClusterOutcome outcome = outcomes.get(i);
      PublishedJob job = PublishedJob.ALL.get(i / 2);
      PublishedJob.Run published = i % 2 == 0 ? job.backoff() : job.aimd();
      double percent = 100 * (outcome.seconds() / published.seconds() - 1);
      sum += Math.abs(percent);
      String what = job.scenario() + " " + outcome.policy();
      all.assertThat(percent).as(what).isCloseTo(0, within(TIME_PERCENT));
      all.assertThat(100 * (outcome.throttledShareOfWrites() - published.throttled()))
          .as(what)
          .isCloseTo(0, within(SHARE_POINTS));
    }
    all.assertAll();
    assertThat(sum / outcomes.size()).isLessThan(8);
  }
}
