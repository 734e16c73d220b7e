/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import io.penstock.spark.rate.DriverRates;
import io.penstock.spark.rate.ExecutorRates;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.Test;

/** Who takes part in the coordination of rates in a running session. */
class RateParticipantsTest {
  private final Engine engine = new Engine(SystemTime.INSTANCE, Chance.ofTheMachine());

  @Test
  void inLocalModeTheProcessTakesPartOnce() throws InterruptedException {
    Lake.spark();

    // The threads of participants that other tests have closed may still be ending.
    for (int i = 0; participants() != 1 && i < 1000; i++) {
      SystemTime.INSTANCE.sleep(Duration.ofMillis(10));
    }
    assertThat(participants()).isEqualTo(1);
  }

  @Test
  void theDriverTellsExecutorsHowOftenAndHowLong() {
    SparkContext spark = Lake.spark().sparkContext();
    var context = new FakeContext("driver");

    try (var rates =
        DriverRates.start(engine, spark, context, Settings.of(Map.of())).orElseThrow()) {
      assertThat(rates.forExecutors())
          .isEqualTo(Map.of("rate.report.period", "PT0.5S", "rate.lease", "PT3S"));
    }
  }

  @Test
  void nobodyTakesPartUnderAnotherPolicy() {
    SparkContext spark = Lake.spark().sparkContext();
    var context = new FakeContext("driver");
    var settings = Settings.of(Map.of("penstock.rate.policy", "backoff"));

    assertThat(DriverRates.start(engine, spark, context, settings)).isEmpty();
    assertThat(ExecutorRates.join(engine, new FakeContext("1"), Map.of())).isEmpty();
  }

  private static long participants() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("penstock-heartbeat"))
        .count();
  }
}
