/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.cluster.ClusterGroup;
import io.penstock.core.rate.law.TokenBucket;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits that users set: for a process, and for all processes of an application. */
class RateLimitTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);
  private static final long SECOND = 1_000_000_000;

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final RateControl control = new RateControl();

  private static RateConfig config(String... settings) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    return RateConfig.from(Settings.of(values));
  }

  private PacedStore store(RateConfig config) {
    InMemoryStore inner = new InMemoryStore("lake", time);
    return new PacedStore(inner, control, config, time, new StoreMetrics(), new RequestEvents());
  }

  private double secondsOf(PacedStore store, int puts) throws IOException {
    double start = time.nowNanos() / 1e9;
    for (int i = 0; i < puts; i++) {
      store.put("dir" + i % 7 + "/k" + i, Body.ofBytes(new byte[1]), Condition.NONE);
    }
    return time.nowNanos() / 1e9 - start;
  }

  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "aimd", "backoff", "none"})
  void aProcessSendsNoMoreThanItsLimitUnderEachPolicy(String policy) throws IOException {
    PacedStore store = store(config("penstock.rate.max", "10", "penstock.rate.policy", policy));
    assertThat(secondsOf(store, 101)).isCloseTo(10, within(0.1));
    double start = time.nowNanos() / 1e9;
    store.head("dir0/k0");
    assertThat(time.nowNanos() / 1e9 - start).as("reads have their own limit").isZero();
  }

  @Test
  void withoutALimitNothingWaits() throws IOException {
    assertThat(secondsOf(store(config()), 1_000)).isZero();
    assertThat(secondsOf(store(config("penstock.rate.max", "none")), 1_000)).isZero();
    assertThat(secondsOf(store(config("penstock.rate.max", "0")), 1_000)).isZero();
  }

  @Test
  void aProcessWithoutADriverHasTheLimitOfTheWholeApplication() throws IOException {
    assertThat(secondsOf(store(config("penstock.rate.cluster.max", "10")), 101))
        .isCloseTo(10, within(0.1));
  }

  @Test
  void aProcessThatIsLedBeginsSlowlyAndKeepsItsLastShare() throws IOException {
    control.led();
    PacedStore store = store(config("penstock.rate.cluster.max", "100"));
    assertThat(secondsOf(store, 4)).as("before a share").isCloseTo(3, within(0.1));
    Share open = new Share("", Share.Mode.OPEN, Double.POSITIVE_INFINITY);
    control.follow(Map.of(WRITES, new Lease(List.of(open), 4, 25)), time.nowNanos());
    assertThat(secondsOf(store, 101)).isCloseTo(4, within(0.1));
    time.advance(java.time.Duration.ofMinutes(1));
    assertThat(secondsOf(store, 101)).as("the lease has ended").isCloseTo(4, within(0.1));
  }

  @Test
  void theSmallerOfBothLimitsCounts() throws IOException {
    control.led();
    PacedStore store = store(config("penstock.rate.cluster.max", "100", "penstock.rate.max", "5"));
    Share open = new Share("", Share.Mode.OPEN, Double.POSITIVE_INFINITY);
    control.follow(Map.of(WRITES, new Lease(List.of(open), 1, 100)), time.nowNanos());
    assertThat(secondsOf(store, 51)).isCloseTo(10, within(0.2));
  }

  @Test
  void theDriverDividesTheLimitByNeedAndNeverGivesMore() {
    RateConfig config = config("penstock.rate.cluster.max", "100");
    ClusterGroup group = new ClusterGroup(config, Traffic.WRITE);
    Map<String, Lease> leases = Map.of();
    long now = 10 * SECOND;
    for (int period = 0; period < 10; period++) {
      now += SECOND / 2;
      group.report("busy", new RateReport(List.of(new Seen("", 40, 0, 30)), List.of()), now);
      group.report("other", new RateReport(List.of(new Seen("", 2, 0, 0)), List.of()), now);
      group.report("idle", new RateReport(List.of(new Seen("", 0, 0, 0)), List.of()), now);
      leases = group.lease(now);
      double sum = leases.values().stream().mapToDouble(Lease::most).sum();
      assertThat(sum).isCloseTo(100, within(1e-6));
    }
    assertThat(leases.get("busy").most()).isGreaterThan(80);
    assertThat(leases.get("idle").most()).as("it can begin").isBetween(1.0, 10.0);
    assertThat(leases.get("busy").shares().get(0).mode()).isEqualTo(Share.Mode.OPEN);
    group.forget("other");
    now += SECOND / 2;
    assertThat(group.lease(now).values().stream().mapToDouble(Lease::most).sum())
        .isCloseTo(100, within(1e-6));
  }

  @Test
  void aProcessThatIsNotHeardOfKeepsItsShareAndItIsNotGivenAway() {
    ClusterGroup group =
        new ClusterGroup(config("penstock.rate.cluster.max", "100"), Traffic.WRITE);
    RateReport busy = new RateReport(List.of(new Seen("", 40, 0, 30)), List.of());
    long now = 10 * SECOND;
    Map<String, Lease> leases = Map.of();
    for (int period = 0; period < 6; period++) {
      now += SECOND / 2;
      group.report("a", busy, now);
      group.report("b", busy, now);
      leases = group.lease(now);
    }
    double ofA = leases.get("a").most();
    for (int period = 0; period < 60; period++) { // a is cut off for half a minute
      now += SECOND / 2;
      group.report("b", busy, now);
      assertThat(group.lease(now).get("b").most() + ofA).isLessThanOrEqualTo(100 + 1e-6);
    }
    group.forget("a");
    now += SECOND / 2;
    group.report("b", busy, now);
    assertThat(group.lease(now).get("b").most()).isCloseTo(100, within(1e-6));
  }

  @Test
  void manyIdleProcessesParkATenthOfTheLimitAtMost() {
    ClusterGroup group =
        new ClusterGroup(config("penstock.rate.cluster.max", "100"), Traffic.WRITE);
    long now = 10 * SECOND;
    Map<String, Lease> leases = Map.of();
    for (int period = 0; period < 10; period++) {
      now += SECOND / 2;
      for (int i = 0; i < 200; i++) {
        group.report("idle-" + i, new RateReport(List.of(new Seen("", 0, 0, 0)), List.of()), now);
      }
      RateReport busy = new RateReport(List.of(new Seen("", 40, 0, 300)), List.of());
      group.report("busy", busy, now);
      leases = group.lease(now);
    }
    assertThat(leases.get("busy").most()).isGreaterThan(88);
  }

  @Test
  void aDriverThatDoesNotKnowTheLimitDoesNotLiftIt() throws IOException {
    control.led();
    PacedStore store = store(config("penstock.rate.cluster.max", "50"));
    Share open = new Share("", Share.Mode.OPEN, Double.POSITIVE_INFINITY);
    Lease unlimited = new Lease(List.of(open), 1, Double.POSITIVE_INFINITY);
    secondsOf(store, 1);
    control.follow(Map.of(WRITES, unlimited), time.nowNanos());
    assertThat(secondsOf(store, 101)).isCloseTo(2, within(0.1));
  }

  @Test
  void theDebtOfABulkDeleteIsFiveSecondsAtMostAlsoWhenTheShareFalls() {
    TokenBucket permits = new TokenBucket(100, 0);
    assertThat(permits.take(0, 1_000)).isZero();
    permits.rate(2, 0);
    assertThat(permits.take(0, 1)).isBetween(5.0, 5.6);
  }

  @Test
  void aBucketWithAnotherPolicyMayLiftTheLimitOfTheApplication() {
    Settings settings =
        Settings.of(
            Map.of(
                "penstock.rate.cluster.max", "100",
                "penstock.bucket.logs.rate.policy", "backoff",
                "penstock.bucket.logs.rate.cluster.max", "none"));
    assertThat(RateConfig.from(settings.forBucket("logs")).clusterMaxRate()).isInfinite();
    assertThat(RateConfig.from(settings.forBucket("lake")).clusterMaxRate()).isEqualTo(100);
  }

  @Test
  void aLimitThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> config("penstock.rate.max", "0.5"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("penstock.rate.max='0.5': must be at least 1, or none.");
    assertThatThrownBy(() -> config("penstock.rate.max", "-3"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("must be more than 0, or none");
    assertThatThrownBy(
            () -> config("penstock.rate.cluster.max", "9", "penstock.rate.policy", "backoff"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("needs penstock.rate.policy=adaptive");
  }

  @Test
  void aWaitThatIsTooLongNamesTheLimit() throws IOException {
    PacedStore store =
        store(
            PacedStore.patient(
                config("penstock.rate.max", "1"), Duration.ofSeconds(3), Duration.ofSeconds(1)));
    store.deleteAll(IntStream.range(0, 500).mapToObj(i -> "k" + i).toList());
    assertThatThrownBy(() -> store.delete("k"))
        .hasMessageContaining("Raise penstock.rate.max and penstock.rate.cluster.max");
  }
}
