/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.cluster.ClusterGroup;
import io.penstock.core.rate.cluster.RateDriver;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Repeat;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
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

/** What nobody uses is forgotten after ten minutes, and comes back by itself. */
class IdleStateTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final RateControl control = new RateControl();
  private final RateConfig config = RateConfig.defaults();
  private final FaultyStore faulty = new FaultyStore(new InMemoryStore("lake", time));
  private final PacedStore store = paced(faulty, config);

  private PacedStore paced(FaultyStore inner, RateConfig config) {
    return new PacedStore(inner, control, config, time, new StoreMetrics(), new RequestEvents());
  }

  private void put(PacedStore store, String key) throws IOException {
    store.put(key, Body.empty(), Condition.NONE);
  }

  private void throttled(PacedStore store, String key, int times) {
    faulty.reset();
    for (int i = 1; i <= times; i++) {
      faulty.failBefore(Operation.PUT, i, Kind.THROTTLED);
    }
    for (int i = 0; i < times; i++) {
      assertThatThrownBy(() -> put(store, key)).isInstanceOf(StoreException.class);
    }
  }

  // ---- a process

  @Test
  void aThousandBucketsLeaveNothingAfterTenMinutes() throws IOException {
    for (int bucket = 0; bucket < 1_000; bucket++) {
      put(paced(new FaultyStore(new InMemoryStore("b" + bucket, time)), config), "k");
    }
    assertThat(control.size()).isEqualTo(2_002);

    time.advance(Duration.ofMinutes(9));
    control.report(time.nowNanos());
    assertThat(control.size()).isEqualTo(2_002);
    put(store, "k");

    time.advance(Duration.ofMinutes(2));
    control.report(time.nowNanos());
    assertThat(control.rates().keySet()).containsExactly(WRITES);
  }

  @Test
  void withoutACoordinatorTheNextBucketThatIsOpenedClearsUp() {
    for (int bucket = 0; bucket < 1_000; bucket++) {
      paced(new FaultyStore(new InMemoryStore("b" + bucket, time)), config);
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(control.size()).isLessThanOrEqualTo(24);
  }

  @Test
  void aStoreThatIsUsedAgainIsReportedAgain() throws IOException {
    put(store, "k");
    time.advance(Duration.ofMinutes(11));
    control.report(time.nowNanos());
    assertThat(control.size()).isZero();

    throttled(store, "k", 2);

    assertThat(control.report(time.nowNanos()).get(WRITES).partitions())
        .containsExactly(new Seen("", 0, 2, 0));
    assertThat(control.rates().get(WRITES).get("")).isLessThan(10);
    assertThat(store.repeatOf(Operation.PUT, "k")).isEqualTo(Repeat.SHORTLY);
  }

  @Test
  void aCapInForceIsNotForgotten() {
    RateConfig aimd =
        RateConfig.from(
            Settings.of(Map.of("penstock.rate.policy", "aimd", "fs.s3.aimd.adjustWindow", "1")));
    PacedStore capped = paced(faulty, aimd);
    throttled(capped, "k", 3);
    double rate = control.rates().get(WRITES).get("");
    assertThat(rate).isLessThan(1_000);

    time.advance(Duration.ofHours(1));
    control.report(time.nowNanos());

    assertThat(control.rates().get(WRITES).get("")).isEqualTo(rate);
    assertThat(control.rates()).hasSize(1);
  }

  @Test
  void aRequestThatIsUnderWayKeepsItsGroup() {
    RateGroup group = new RateGroup(config, Traffic.WRITE, 1);
    Pacer pacer = group.pacerOf("k");
    pacer.arrive(0);
    assertThat(pacer.take(0, 1)).isZero();
    long later = Duration.ofHours(1).toNanos();
    assertThat(group.retires(later)).isFalse();
    pacer.answered(0, later, 1, 0);
    assertThat(group.retires(later)).isFalse();
    assertThat(group.retires(later + Duration.ofMinutes(10).toNanos())).isTrue();
    assertThat(group.use(later)).isFalse();
  }

  // ---- its partitions

  @Test
  void tenThousandPartitionsThatComeAndGoLeaveNoQueues() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      String prefix = "p" + i + "/";
      Share rest = new Share("", Share.Mode.OPEN, Double.POSITIVE_INFINITY);
      Share share = new Share(prefix, Share.Mode.PACED, 100);
      control.follow(
          Map.of(WRITES, new Lease(List.of(rest, share), 1, Double.POSITIVE_INFINITY)),
          time.nowNanos());
      put(store, prefix + "a");
      put(store, prefix + "b");
    }
    assertThat(time.nowNanos()).as("they did wait").isGreaterThan(99_000_000_000L);
    assertThat(store.queues()).isZero();
    assertThat(control.rates().get(WRITES)).hasSize(2);
  }

  /** Half of the answers under "hot/" are throttled, of 900 prefixes, and none of "cold/". */
  private RateGroup locating() {
    RateGroup group = new RateGroup(config, Traffic.WRITE, 1);
    for (int second = 1; second <= 20; second++) {
      long now = Duration.ofSeconds(second).toNanos();
      for (int i = 0; i < 900; i++) {
        group.pacerOf("hot/" + i + "/k").answered(now, now, 1, 1);
      }
      group.pacerOf("cold/k").answered(now, now, 100, 0);
    }
    return group;
  }

  @Test
  void partitionsAndCountsThatNothingNeedsAreForgotten() {
    RateGroup group = locating();
    assertThat(group.rates()).containsKey("cold/");
    assertThat(group.size()).isGreaterThan(800);

    assertThat(group.retires(Duration.ofMinutes(4).toNanos())).isFalse();
    assertThat(group.rates())
        .as("it has a cap, which does not hold for cold/")
        .containsKey("cold/");
    assertThat(group.size()).as("nobody counts any more").isEqualTo(1);

    group.retires(Duration.ofMinutes(11).toNanos());
    assertThat(group.size()).isZero();
  }

  // ---- the driver

  private static RateReport of(String prefix, double ok, double throttled) {
    return new RateReport(List.of(new Seen(prefix, ok, throttled, 0)), List.of());
  }

  @Test
  void theDriverForgetsAThousandBucketsThatNobodyUses() {
    RateDriver driver = new RateDriver(bucket -> config);
    Map<GroupId, RateReport> all = new LinkedHashMap<>();
    IntStream.range(0, 1_000)
        .forEach(i -> all.put(new GroupId("b" + i, Traffic.WRITE), of("", 10, 0)));
    driver.exchange("1", all, 0);
    assertThat(driver.rates()).hasSize(1_000);

    for (int minute = 1; minute <= 12; minute++) {
      driver.exchange("1", Map.of(WRITES, of("", 10, 0)), Duration.ofMinutes(minute).toNanos());
      nobodySends(driver, 60 * minute, 60 * minute + 2);
    }

    assertThat(driver.rates().keySet()).containsExactly(WRITES);
    driver.exchange("1", all, Duration.ofMinutes(13).toNanos());
    assertThat(driver.rates()).hasSize(1_001);
  }

  @Test
  void theDriverKeepsACapThatIsInForce() {
    RateDriver driver = new RateDriver(bucket -> config);
    long second = Duration.ofSeconds(1).toNanos();
    driver.exchange("1", Map.of(WRITES, of("", 100, 0)), second);
    driver.exchange("1", Map.of(WRITES, of("", 100, 50)), 2 * second);
    assertThat(driver.rates().get(WRITES).get("")).isLessThan(1_000);

    nobodySends(driver, 4, 300);
    assertThat(driver.rates().get(WRITES).get("")).as("five minutes").isLessThan(1_000);
    nobodySends(driver, 300, 880);
    assertThat(driver.rates().get(WRITES).get("")).isEqualTo(Double.POSITIVE_INFINITY);
    nobodySends(driver, 880, 1_000);
    assertThat(driver.rates()).isEmpty();
  }

  /** The driver takes part in all that there is, and an executor reports where it has a cap. */
  private static void nobodySends(RateDriver driver, int fromSeconds, int toSeconds) {
    for (int second = fromSeconds; second < toSeconds; second += 2) {
      long now = Duration.ofSeconds(second).toNanos();
      Map<GroupId, RateReport> known = new LinkedHashMap<>();
      Map<GroupId, RateReport> capped = new LinkedHashMap<>();
      driver.rates().keySet().forEach(id -> known.put(id, of("", 0, 0)));
      driver.exchange("driver", known, now);
      driver
          .rates()
          .forEach(
              (id, rates) -> {
                if (rates.get("") < Double.POSITIVE_INFINITY) {
                  capped.put(id, of("", 0, 0));
                }
              });
      driver.exchange("1", capped, now);
    }
  }

  @Test
  void theDriverForgetsPartitionsThatNobodyUses() {
    ClusterGroup group = new ClusterGroup(config, Traffic.WRITE);
    List<Seen> prefixes = List.of(new Seen("hot/", 100, 30, 0), new Seen("cold/", 200, 0, 0));
    for (int second = 1; second <= 10; second++) {
      long now = Duration.ofSeconds(second).toNanos();
      group.report("1", new RateReport(List.of(new Seen("", 300, 30, 0)), prefixes), now);
      group.lease(now);
    }
    assertThat(group.rates()).containsKey("cold/");

    for (int second = 12; second < 1_000; second += 2) {
      long now = Duration.ofSeconds(second).toNanos();
      group.report("1", of("", 10, 0), now);
      group.lease(now);
    }
    assertThat(group.rates()).containsOnlyKeys("");
  }
}
