/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.simulator.cluster.outcome.Api;
import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.ScenarioText;
import io.penstock.simulator.cluster.scenario.Scenarios;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  private static final String ONE_FILE =
      """
      job.executors: 1
      job.cores: 1
      job.tasks: 1
      job.files: 1
      job.file.size: 1M
      job.compute: 1M
      job.spread: 0
      job.start.spread: 0s
      s3.latency: 100ms
      """;

  private static final String MANY_FILES = ONE_FILE.replace("files: 1", "files: 100");

  /** Little enough for a check after each event, and everything goes wrong. */
  private static final String TROUBLED =
      """
      job.executors: 4
      job.cores: 3
      job.tasks: 30
      job.files: 300
      job.reads: 2
      s3.writes: 20
      s3.reads: 30
      s3.front.ends: 2
      s3.splits: 40s
      s3.cold.share: 0.5
      s3.warm.after: 30s
      keys.prefixes: 3
      keys.partitions: each
      keys.hot.share: 0.6
      tenant.share: 0.3
      tenant.on: 5s
      tenant.off: 5s
      rival.count: 1
      driver.reports.lost: 0.3
      driver.lease.delay: 400ms
      driver.down.at: 10s
      driver.down.for: 6s
      join.executors: 2
      join.at: 8s
      leave.executors: 3
      leave.at: 15s
      """;

  private static ClusterOutcome run(String text, SendPolicy policy, long seed) {
    return new Simulation(ScenarioText.parse("test", text).scenario(), policy, seed).run();
  }

  @Test
  void oneFileIsCreatedComputedUploadedAndCompleted() {
    ClusterOutcome run = run(ONE_FILE, SendPolicy.BACKOFF, 1);

    assertThat(run.seconds()).isCloseTo(0.1 + 1 + 0.1 + 0.1, within(1e-9));
    assertThat(run.sent())
        .isEqualTo(
            Map.of(Api.CREATE, 1L, Api.PART, 1L, Api.COMPLETE, 1L, Api.PUT, 0L, Api.GET, 0L));
    assertThat(run.series().sent()).containsExactly(1, 2);
    assertThat(run.series().ok()).containsExactly(1, 2);
    assertThat(run.series().throttled()).containsExactly(0, 0);
  }

  @Test
  void aLargeFileHasAPartForEachPieceOfItsSize() {
    ClusterOutcome run =
        run(ONE_FILE.replace("1M\njob.c", "5M\njob.part.size: 2M\njob.c"), SendPolicy.AIMD, 1);

    assertThat(run.sent().get(Api.PART)).isEqualTo(3);
    assertThat(run.seconds()).isCloseTo(5 + 5 * 0.1, within(1e-9));
  }

  @Test
  void anInlineFileIsOnePut() {
    ClusterOutcome run = run(ONE_FILE + "job.inline: true\n", SendPolicy.BACKOFF, 1);

    assertThat(run.sent().get(Api.PUT)).isEqualTo(1);
    assertThat(run.sent().get(Api.CREATE)).isZero();
    assertThat(run.seconds()).isCloseTo(1 + 0.1, within(1e-9));
  }

  @Test
  void readsComeBeforeTheWrites() {
    ClusterOutcome run =
        run(ONE_FILE + "job.reads: 3\njob.read.size: 512K\n", SendPolicy.PENSTOCK, 1);

    assertThat(run.sent().get(Api.GET)).isEqualTo(3);
    assertThat(run.seconds()).isCloseTo(3 * 0.1 + 2 * 0.5 + 1.3, within(1e-9));
  }

  @Test
  void theOracleWaitsForTheTokenInsteadOfAsking() {
    // Tokens of 0 s and 1.1 s are taken by Create and the part; the next one is there at 2.1 s.
    ClusterOutcome run = run(ONE_FILE + "s3.writes: 1\ns3.burst: 1s\n", SendPolicy.IDEAL, 1);

    assertThat(run.seconds()).isCloseTo(2.1 + 0.1, within(1e-6));
    assertThat(run.throttledShare()).isZero();
  }

  @Test
  void inAStormPenstockIsServedWhatThereIsToBeHadAndWakesWithTheCalm() {
    String storm = Scenarios.textOf("storm-90").replace("files: 80000", "files: 60000");
    ClusterOutcome backoff = run(storm, SendPolicy.BACKOFF, 1);
    ClusterOutcome alone = run(storm, SendPolicy.PENSTOCK_ALONE, 1);
    ClusterOutcome driven = run(storm, SendPolicy.PENSTOCK, 1);

    assertThat(backoff.storm().served()).isLessThan(0.02);
    assertThat(backoff.storm().sleptSeconds()).isGreaterThan(10);
    assertThat(alone.storm().served()).isBetween(0.07, 0.11);
    assertThat(alone.failed()).isZero();
    assertThat(driven.storm().served()).isBetween(0.08, 0.11);
    assertThat(driven.storm().sleptSeconds()).isLessThan(1);
    assertThat(driven.failed()).isZero();
  }

  @Test
  void backoffAsksInVainAndWaits() {
    ClusterOutcome run = run(ONE_FILE + "s3.writes: 1\ns3.burst: 1s\n", SendPolicy.BACKOFF, 1);

    assertThat(run.throttled().get(Api.COMPLETE)).isPositive();
    assertThat(run.seconds()).isGreaterThan(2.2);
    assertThat(run.failed()).isZero();
  }

  @Test
  void aRequestThatIsNeverAdmittedFailsAfterItsAttempts() {
    // The burst is below one request, so nothing is ever admitted.
    ClusterOutcome run = run(ONE_FILE + "s3.writes: 1\ns3.burst: 500ms\n", SendPolicy.BACKOFF, 1);

    assertThat(run.sent()).containsEntry(Api.CREATE, 16L).containsEntry(Api.COMPLETE, 16L);
    assertThat(run.failed()).isEqualTo(3);
    assertThat(run.throttledShareOfWrites()).isEqualTo(1);
  }

  @Test
  void aRunThatTakesTooLongIsGivenUp() {
    ClusterOutcome run = run(ONE_FILE + "limit: 1s\n", SendPolicy.BACKOFF, 1);

    assertThat(run.finished()).isFalse();
    assertThat(run.seconds()).isBetween(1.0, 1.2);
  }

  @Test
  void twinsThatShareEvenlyHaveAFairnessOfOne() {
    ClusterOutcome run = run(MANY_FILES + "rival.count: 1\n", SendPolicy.BACKOFF, 1);

    assertThat(run.jain()).isCloseTo(1, within(1e-4));
  }

  @Test
  void aRivalThatGoesOnForEverDoesNotKeepTheRunFromItsEnd() {
    ClusterOutcome run =
        run(
            MANY_FILES
                + "rival.count: 1\nrival.policy: backoff\nrival.executors: 3\nrival.cores: 1\n",
            SendPolicy.PENSTOCK,
            1);

    assertThat(run.finished()).isTrue();
    assertThat(run.jain()).isCloseTo((1 + 3.0) * (1 + 3) / (2 * (1 + 9)), within(0.01));
  }

  @ParameterizedTest
  @EnumSource(SendPolicy.class)
  void nothingIsLostWhateverGoesWrong(SendPolicy policy) {
    Simulation simulation =
        new Simulation(ScenarioText.parse("troubled", TROUBLED).scenario(), policy, 1);

    while (simulation.step()) {
      simulation.audit();
    }
    simulation.audit();
  }

  @ParameterizedTest
  @EnumSource(SendPolicy.class)
  void theSameSeedMakesTheSameRunAndAnotherAnother(SendPolicy policy) {
    ClusterOutcome first = run(TROUBLED, policy, 7);

    assertThat(run(TROUBLED, policy, 7)).isEqualTo(first);
    assertThat(run(TROUBLED, policy, 8).seconds()).isNotEqualTo(first.seconds());
  }

  @Test
  void runsBesideEachOtherComeOutAsRunsOneByOne() throws InterruptedException {
    Scenario scenario = ScenarioText.parse("troubled", TROUBLED).scenario();
    List<Campaign.Run> runs =
        List.of(
            new Campaign.Run(scenario, SendPolicy.AIMD, 1),
            new Campaign.Run(scenario, SendPolicy.PENSTOCK, 2),
            new Campaign.Run(scenario, SendPolicy.SDK_ADAPTIVE, 3));

    assertThat(Campaign.run(runs, 3, left -> {})).isEqualTo(Campaign.run(runs, 1, left -> {}));
  }

  /** Takes twelve seconds; million-hot takes minutes and is only in the docs' table. */
  @Test
  void aThousandExecutorsWriteAMillionFilesNearlyAsFastAsAnOracle() {
    Scenario scenario = Scenarios.of("million-splits").scenario();
    ClusterOutcome run = new Simulation(scenario, SendPolicy.PENSTOCK, 1).run();
    ClusterOutcome ideal = new Simulation(scenario, SendPolicy.IDEAL, 1).run();

    assertThat(run.failed()).isZero();
    assertThat(run.throttledShareOfWrites()).isLessThan(0.006);
    assertThat(run.seconds() / ideal.seconds()).isLessThan(1.1);
  }
}
