/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.golden.Golden;
import io.penstock.core.metrics.MetricsSnapshot;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.store.Operation;
import io.penstock.core.time.VirtualTime;
import io.penstock.spark.heartbeat.DriverHeartbeat;
import io.penstock.spark.heartbeat.ExecutorHeartbeat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsSectionTest {
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final StoreMetrics driverOwn = new StoreMetrics();
  private final DriverMetrics driver = new DriverMetrics(driverOwn);
  private int messages;

  private ExecutorHeartbeat executor(String id, StoreMetrics metrics) {
    DriverHeartbeat heartbeat = new DriverHeartbeat(List.of(driver));
    return new ExecutorHeartbeat(
        id,
        List.of(new ExecutorMetrics(metrics)),
        message -> {
          messages++;
          return heartbeat.receive(message);
        },
        time);
  }

  private void beat(ExecutorHeartbeat executor) throws InterruptedException {
    time.advance(Duration.ofSeconds(2));
    executor.beat();
  }

  private static StoreMetrics retriedPuts(int times) {
    StoreMetrics metrics = new StoreMetrics();
    for (int i = 0; i < times; i++) {
      metrics.retried(Operation.PUT, true, 1_000);
    }
    metrics.waited(5);
    metrics.hedges().won();
    return metrics;
  }

  @Test
  void whatAllHaveSentIsAddedUp() throws InterruptedException {
    ExecutorHeartbeat one = executor("1", retriedPuts(3));
    ExecutorHeartbeat two = executor("2", retriedPuts(4));
    driverOwn.waited(7);
    beat(one);
    beat(two);
    beat(one); // tells nothing new, so there is no message
    MetricsSnapshot total = driver.total();
    assertThat(total.retries()).isEqualTo(new StoreMetrics.Retries(0, 7, 7_000));
    assertThat(total.waits()).isEqualTo(new StoreMetrics.Waits(3, 17));
    assertThat(total.hedges().won()).isEqualTo(2);
    assertThat(messages).isEqualTo(2);
    assertThat(driver.summary()).as("no request was made").isEmpty();
  }

  @Test
  void whatTheProcessSentForAnEarlierApplicationIsNotCounted() {
    StoreMetrics process = retriedPuts(3);
    DriverMetrics second = new DriverMetrics(process);
    process.waited(9);
    assertThat(second.total().retries().throttled()).isZero();
    assertThat(second.total().waits()).isEqualTo(new StoreMetrics.Waits(1, 9));
  }

  @Test
  void anExecutorThatIsGoneCountsOnce() throws InterruptedException {
    StoreMetrics metrics = retriedPuts(3);
    ExecutorHeartbeat one = executor("1", metrics);
    beat(one);
    driver.executorRemoved("1");
    metrics.waited(1);
    beat(one); // its last message was late
    assertThat(driver.total().retries().throttled()).isEqualTo(3);
  }

  @Test
  void countsArriveAsTheyWereSent() throws IOException {
    MetricsSnapshot sent = retriedPuts(3).snapshot();
    byte[] kept = Golden.bytes("metrics-3", MetricsMessages.toBytes(sent));
    assertThat(MetricsMessages.read(kept)).isEqualTo(sent);
  }
}
