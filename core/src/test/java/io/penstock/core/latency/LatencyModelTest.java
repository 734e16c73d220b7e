/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.store.Operation;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyModelTest {
  private static final long MS = 1_000_000;
  private static final long MIB = 1 << 20;

  private final LatencyModel model = new LatencyModel(0.98);

  /** Samples of 1, 2, … 100 ms, times a factor, over and over. */
  private void learn(int samples, long factor, long nowNanos) {
    for (int i = 0; i < samples; i++) {
      model.took(Operation.GET, MIB, (i % 100 + 1) * factor * MS, nowNanos);
    }
  }

  @Test
  void nothingIsKnownBeforeTheFirstSamples() {
    assertThat(model.of(Operation.GET, MIB)).isEqualTo(new Latencies(0, 0, 0, 0));
  }

  @Test
  void quantilesAreLearnedWithinOnePercent() {
    learn(4_000, 1, 0);
    Latencies seen = model.of(Operation.GET, MIB);
    assertThat(seen.samples()).isBetween(3_700L, 4_000L);
    assertThat(seen.p90Nanos()).isCloseTo(90 * MS, within(MS));
    assertThat(seen.p95Nanos()).isCloseTo(95 * MS, within(MS));
    assertThat(seen.hedgeNanos()).isCloseTo(98 * MS, within(MS));
  }

  @Test
  void operationsAndSizesAreToldApart() {
    learn(100, 1, 0);
    assertThat(model.of(Operation.GET, 4 * MIB - 1).samples()).isPositive();
    assertThat(model.of(Operation.GET, 4 * MIB).samples()).isZero();
    assertThat(model.of(Operation.GET, MIB - 1).samples()).isZero();
    assertThat(model.of(Operation.UPLOAD_PART, MIB).samples()).isZero();
  }

  @Test
  void sizesGoByPowersOfFourFrom16KiBTo4GiB() {
    assertThat(SizeClass.of(0)).isZero();
    assertThat(SizeClass.of((16 << 10) - 1)).isZero();
    assertThat(SizeClass.of(16 << 10)).isEqualTo(1);
    assertThat(SizeClass.of((64 << 10) - 1)).isEqualTo(1);
    assertThat(SizeClass.of(64 << 10)).isEqualTo(2);
    assertThat(SizeClass.of(5L << 30)).isEqualTo(10);
    assertThat(SizeClass.of(Long.MAX_VALUE)).isEqualTo(10);
  }

  @Test
  void fasterWeatherShowsAfterTenThousandSamples() {
    learn(20_000, 10, 0);
    learn(11_000, 1, 0);
    assertThat(model.of(Operation.GET, MIB).hedgeNanos()).isLessThan(110 * MS);
  }

  @Test
  void slowerWeatherShowsAfterAFewHundredSamples() {
    learn(20_000, 1, 0);
    learn(700, 10, 0);
    assertThat(model.of(Operation.GET, MIB).hedgeNanos()).isGreaterThan(500 * MS);
  }

  @Test
  void aQuietStoreForgetsByTheMinute() {
    learn(1_500, 10, 0);
    learn(1_100, 1, 61_000 * MS);
    learn(1_100, 1, 122_000 * MS);
    learn(1_100, 1, 183_000 * MS);
    assertThat(model.of(Operation.GET, MIB).hedgeNanos()).isLessThan(110 * MS);
  }

  @Test
  void aCutAttemptCountsWithTheTimeItHadUnlessItWasStillAnOrdinaryOne() {
    learn(1_000, 1, 0);
    for (int i = 0; i < 200; i++) {
      model.tookAtLeast(Operation.GET, MIB, 20 * MS, 0);
    }
    assertThat(model.of(Operation.GET, MIB).samples()).isLessThanOrEqualTo(1_000);
    for (int i = 0; i < 200; i++) {
      model.tookAtLeast(Operation.GET, MIB, 3_000 * MS, 0);
    }
    assertThat(model.of(Operation.GET, MIB).p90Nanos()).isGreaterThan(2_900 * MS);
  }

  @Test
  void latenciesBeyondTheScaleAreTheLongestThereIs() {
    for (int i = 0; i < 16; i++) {
      model.took(Operation.GET, MIB, Long.MAX_VALUE, 0);
    }
    assertThat(model.of(Operation.GET, MIB).p90Nanos()).isCloseTo(600_000 * MS, within(5_000 * MS));
  }

  @Test
  void manyThreadsLoseNoSample() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int thread = 0; thread < 4; thread++) {
      threads.execute(() -> learn(1_000, 1, 0));
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    learn(500, 1, 0);
    assertThat(model.of(Operation.GET, MIB).samples()).isBetween(4_200L, 4_500L);
  }
}
