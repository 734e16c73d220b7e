/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.store.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestAccountsTest {
  private static final Origin OF_TASK =
      new Origin("app-1", OptionalLong.of(7), Optional.of(new Origin.Task(3, 0, 12, 40)));
  private static final Origin OF_DRIVER = new Origin("app-1", OptionalLong.of(7), Optional.empty());

  private final RequestAccounts accounts = new RequestAccounts();

  private static Attempted ok(long nanos, long sent, long received) {
    return new Attempted(nanos, sent, received, End.OK, false, false);
  }

  @Test
  void requestsAreSummedByQueryAndStageAndByPath() {
    accounts.open();
    accounts.add(
        Client.PENSTOCK, Operation.GET, "lake", "db/t/p=1/a", OF_TASK, ok(2_000_000, 0, 100));
    accounts.add(
        Client.PENSTOCK,
        Operation.PUT,
        "lake",
        "db/t/b",
        OF_DRIVER,
        new Attempted(9, 5, 0, End.THROTTLED, false, false));
    accounts.add(
        Client.PENSTOCK,
        Operation.PUT,
        "lake",
        "db/t/b",
        OF_DRIVER,
        new Attempted(9, 5, 0, End.OK, true, false));
    accounts.addWait(Operation.PUT, "lake", "db/t/b", OF_DRIVER, 1_000);

    RequestAccount taken = accounts.take();

    RequestSums read = new RequestSums(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 2_000_000, 0, 0, 400);
    RequestSums written = new RequestSums(0, 2, 0, 0, 0, 0, 1, 1, 0, 10, 0, 18, 1, 1_000, 5_000);
    assertThat(taken.works()).isEqualTo(Map.of(new Work(7, 3), read, new Work(7, -1), written));
    assertThat(taken.paths()).isEqualTo(Map.of("lake/db/t", read.plus(written)));
    assertThat(taken.total().requests()).isEqualTo(3);
    assertThat(taken.total().dollars()).isEqualTo(5.4e-6);
    assertThat(taken.latencies().get(Operation.GET).quantileMillis(0.5)).isBetween(2.0, 2.4);
    assertThat(accounts.take().isEmpty()).as("taken already").isTrue();
  }

  @Test
  void nothingIsKeptBeforeSomebodyWantsIt() {
    accounts.add(Client.PENSTOCK, Operation.GET, "lake", "a", OF_TASK, ok(1, 0, 1));
    accounts.open();
    assertThat(accounts.take().isEmpty()).isTrue();
    accounts.add(Client.PENSTOCK, Operation.GET, "lake", "a", OF_TASK, ok(1, 0, 1));
    accounts.close();
    assertThat(accounts.take().isEmpty()).isTrue();
  }

  @Test
  void veryManyPathsAreBoundedAndNothingIsLost() {
    accounts.open();
    for (int i = 0; i < 5_000; i++) {
      accounts.add(Client.PENSTOCK, Operation.GET, "lake", "t" + i + "/a", OF_TASK, ok(1, 0, 1));
    }
    RequestAccount taken = accounts.take();
    assertThat(taken.paths()).hasSize(2_001).containsKey(RequestAccounts.REST);
    assertThat(taken.paths().values().stream().mapToLong(RequestSums::requests).sum())
        .isEqualTo(5_000);
  }

  @Test
  void whatIsAddedWhileOthersTakeIsCountedOnce() throws InterruptedException {
    accounts.open();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  accounts.add(Client.PENSTOCK, Operation.GET, "lake", "a", OF_TASK, ok(1, 0, 1));
                }
              });
      thread.start();
      threads.add(thread);
    }
    long taken = 0;
    while (threads.stream().anyMatch(Thread::isAlive)) {
      taken += accounts.take().total().requests();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(taken + accounts.take().total().requests()).isEqualTo(80_000);
  }

  @ParameterizedTest
  @CsvSource({
    "db/orders/day=1/part-0.parquet, GET, lake/db/orders",
    "db/orders/_temporary/0/x, PUT, lake/db/orders",
    "db/orders/.hive-staging/x, PUT, lake/db/orders",
    "db/orders/_SUCCESS, PUT, lake/db/orders",
    "db/orders, LIST, lake/db/orders",
    "db/orders/a.parquet, LIST, lake/db/orders",
    "db/orders/a.parquet/, LIST, lake/db/orders",
    "db/v1.2/, LIST, lake/db/v1.2",
    "db/v1.2/a, GET, lake/db/v1.2",
    "db/x.db/t/a, GET, lake/db/x.db/t",
    "events/2026/11/29/a.json, GET, lake/events",
    "db/t/data/0101/1100/a.parquet, GET, lake/db/t/data",
    "db/t/3f2c9a01-77aa/a.parquet, GET, lake/db/t",
    "db/decade/a, GET, lake/db/decade",
    "db/orders/, LIST, lake/db/orders",
    "db/orders, HEAD, lake/db",
    "a, GET, lake/",
    "'', LIST, lake/",
  })
  void aPathIsMostOftenATable(String key, Operation operation, String path) {
    assertThat(new RequestAccounts().path("lake", key, operation)).isEqualTo(path);
  }

  @Test
  void aPathIsNeverLongerThanAKeyOfS3() {
    assertThat(new RequestAccounts().path("lake", "ab/".repeat(1_000), Operation.GET))
        .hasSize(1_029);
    assertThat(new RequestAccounts().path("lake", "abc/".repeat(1_000), Operation.GET))
        .hasSize(1_028);
  }

  @Test
  void quantilesAreExactToAStep() {
    LatencyCounts counts = LatencyCounts.none();
    for (int millis = 1; millis <= 1_000; millis++) {
      counts.counts()[LatencyCounts.step(millis * 1_000_000L)]++;
    }
    assertThat(counts.quantileMillis(0.5)).isBetween(500.0, 600.0);
    assertThat(counts.quantileMillis(0.99)).isBetween(990.0, 1_200.0);
    assertThat(LatencyCounts.none().quantileMillis(0.5)).isZero();
    assertThat(LatencyCounts.step(Long.MAX_VALUE)).isEqualTo(LatencyCounts.STEPS - 1);
    assertThat(LatencyCounts.step(0)).isZero();
  }

  @Test
  void aPathThatCameLastIsNotTakenForAnother() {
    RequestAccounts some = new RequestAccounts();
    assertThat(some.path("lake", "t/a", Operation.GET)).isEqualTo("lake/t");
    assertThat(some.path("lake", "u/a", Operation.GET)).isEqualTo("lake/u");
    assertThat(some.path("lak", "e/u/a", Operation.GET)).isEqualTo("lak/e/u");
    assertThat(some.path("lake2", "u/a", Operation.GET)).isEqualTo("lake2/u");
    assertThat(some.path("lake2", "u/b", Operation.GET)).isEqualTo("lake2/u");
    assertThat(some.path("lake2", "a", Operation.GET)).isEqualTo("lake2/");
  }
}
