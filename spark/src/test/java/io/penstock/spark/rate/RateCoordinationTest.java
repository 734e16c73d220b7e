/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spark.heartbeat.ExecutorHeartbeat.Asking;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What happens to the coordination of three executors when it is disturbed. The store takes 2,000
 * writes a second, of which the executors want 3,600.
 */
class RateCoordinationTest {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** What one of three executors allows itself without a lease. */
  private static final double FLOOR_ALONE = 292;

  private final SimulatedCluster cluster = new SimulatedCluster(2_000);

  RateCoordinationTest() {
    cluster.join("1");
    cluster.join("2");
    cluster.join("3");
  }

  @Test
  void executorsShareWhatTheStoreTakes() {
    settle();

    assertThat(cluster.throttledShare()).isLessThan(0.03);
    assertThat(cluster.ok).as("of 40,000 in 20 s").isGreaterThan(34_000);
    for (String executor : new String[] {"1", "2", "3"}) {
      assertThat(cluster.sentBy(executor)).isBetween(9_000L, 18_000L);
    }
  }

  @Test
  void oneLostReportInThreeCostsLittle() {
    AtomicInteger asked = new AtomicInteger();
    cluster.link =
        driver ->
            message -> {
              if (asked.incrementAndGet() % 10 < 3) {
                throw new IOException("lost");
              }
              return driver.ask(message);
            };

    settle();

    assertThat(cluster.throttledShare()).isLessThan(0.05);
    assertThat(cluster.ok).as("of 40,000 in 20 s").isGreaterThan(32_000);
    nobodyStallsNorBursts(Duration.ofSeconds(10));
  }

  @Test
  void oneLostAnswerInThreeCostsNothing() {
    AtomicInteger asked = new AtomicInteger();
    cluster.link =
        driver ->
            message -> {
              Object answer = driver.ask(message);
              if (asked.incrementAndGet() % 10 < 3) {
                throw new IOException("lost");
              }
              return answer;
            };

    settle();

    assertThat(cluster.throttledShare()).isLessThan(0.04);
    assertThat(cluster.ok).as("of 40,000 in 20 s").isGreaterThan(34_000);
    nobodyStallsNorBursts(Duration.ofSeconds(10));
  }

  @Test
  void executorsGoOnAloneWhileTheDriverIsSlow() {
    settle();
    cluster.link = this::slow;
    cluster.run(LEASE);
    cluster.resetCounts();
    cluster.run(Duration.ofSeconds(30));

    assertThat(cluster.throttledShare()).isLessThan(0.1);
    assertThat(cluster.ok).as("of 60,000 in 30 s").isGreaterThan(48_000);
    assertThat(cluster.sentBy("1")).isGreaterThan(5_000);
    assertThat(cluster.sentBy("2")).isGreaterThan(5_000);
    assertThat(cluster.sentBy("3")).isGreaterThan(5_000);

    cluster.link = driver -> driver;
    cluster.run(Duration.ofSeconds(8));
    nobodyStallsNorBursts(Duration.ofSeconds(10));
  }

  @Test
  void executorsGoOnAloneWithoutADriver() {
    settle();
    cluster.link =
        driver ->
            message -> {
              throw new IOException("Connection refused");
            };
    cluster.run(LEASE);
    cluster.resetCounts();
    cluster.run(Duration.ofSeconds(30));

    assertThat(cluster.throttledShare()).isLessThan(0.1);
    assertThat(cluster.ok).as("of 60,000 in 30 s").isGreaterThan(48_000);
  }

  @Test
  void aDriverThatRestartsEngagesAgain() {
    settle();
    cluster.restartDriver();
    cluster.run(LEASE);

    assertThat(cluster.allowedByDriver()).isBetween(500.0, 3_000.0);
    nobodyStallsNorBursts(Duration.ofSeconds(10));
    assertThat(cluster.throttledShare()).isLessThan(0.05);
  }

  @Test
  void theShareOfALostExecutorGoesToTheOthers() {
    settle();
    double before = cluster.allowed("1");
    cluster.leave("3");
    cluster.run(Duration.ofSeconds(2));

    assertThat(cluster.allowed("1")).isGreaterThan(before * 1.2);
    nobodyStallsNorBursts(Duration.ofSeconds(10));
  }

  @Test
  void anExecutorThatJoinsGetsItsShare() {
    settle();
    cluster.join("4");
    cluster.run(LEASE);

    assertThat(cluster.allowed("4")).isBetween(100.0, 1_000.0);
    nobodyStallsNorBursts(Duration.ofSeconds(10));
    assertThat(cluster.throttledShare()).isLessThan(0.05);
  }

  /** Until the rates are found; what is counted after that is the steady state. */
  private void settle() {
    cluster.run(Duration.ofSeconds(20));
    cluster.resetCounts();
    cluster.run(Duration.ofSeconds(20));
  }

  private Object slowly(Asking driver, Object message) throws Exception {
    Object answer = driver.ask(message);
    cluster.run(Duration.ofSeconds(5));
    return answer;
  }

  private Asking slow(Asking driver) {
    return message -> slowly(driver, message);
  }

  /** Looks every second: everybody sends, and all together may send what the driver says. */
  private void nobodyStallsNorBursts(Duration duration) {
    cluster.resetCounts();
    for (long second = 1; second <= duration.toSeconds(); second++) {
      long[] before = {cluster.sentBy("1"), cluster.sentBy("2")};
      cluster.run(Duration.ofSeconds(1));
      assertThat(cluster.sentBy("1") - before[0]).as("sent in second %d", second).isPositive();
      assertThat(cluster.sentBy("2") - before[1]).as("sent in second %d", second).isPositive();
      assertThat(cluster.allowed())
          .as("allowed in second %d", second)
          .isLessThan(1.3 * cluster.allowedByDriver() + FLOOR_ALONE);
    }
  }
}
