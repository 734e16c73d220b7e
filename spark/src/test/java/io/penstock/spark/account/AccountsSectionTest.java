/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.metrics.account.Work;
import io.penstock.core.store.Operation;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AccountsSectionTest {
  private final RequestAccounts ofDriver = new RequestAccounts();
  private final RequestAccounts ofExecutor = new RequestAccounts();
  private final DriverAccounts driver = new DriverAccounts(ofDriver);
  private final ExecutorAccounts executor = new ExecutorAccounts(ofExecutor);

  private static void get(RequestAccounts accounts, int stage) {
    Origin.Task task = new Origin.Task(stage, 0, 0, 1);
    accounts.add(
        Client.PENSTOCK,
        Operation.GET,
        "lake",
        "t/a",
        new Origin("app-1", OptionalLong.of(7), Optional.of(task)),
        new Attempted(3_000_000, 0, 10, End.OK, false, false));
  }

  private void tell() throws IOException {
    executor.answered(driver.answer("1", executor.question().orElseThrow()));
  }

  @Test
  void theDriverAddsUpWhatAllProcessesTell() throws IOException {
    get(ofExecutor, 3);
    tell();
    get(ofExecutor, 3);
    get(ofExecutor, 4);
    tell();
    get(ofDriver, 3);

    DriverAccounts.Sums sums = driver.sums();

    assertThat(sums.total().works().get(new Work(7, 3)).reads()).isEqualTo(3);
    assertThat(sums.total().works().get(new Work(7, 4)).reads()).isEqualTo(1);
    assertThat(sums.total().paths().get("lake/t").receivedBytes()).isEqualTo(40);
    assertThat(sums.total().latencies().get(Operation.GET).total()).isEqualTo(4);
    assertThat(sums.executors().get("1").requests()).isEqualTo(3);
    assertThat(sums.executors().get("driver").requests()).isEqualTo(1);
    assertThat(DriverAccounts.byQuery(sums.total()).get(7L).requests()).isEqualTo(4);
    assertThat(executor.question()).as("all is told").isEmpty();
  }

  @Test
  void librariesAreToldApart() throws IOException {
    ofExecutor.add(
        Client.S3A,
        Operation.PUT,
        "lake",
        "t/a",
        Origin.NONE,
        new Attempted(1, 5, 0, End.THROTTLED, false, false));
    tell();
    get(ofExecutor, 3);
    tell();
    get(ofDriver, 3);

    Map<Client, RequestSums> clients = driver.sums().total().clients();

    assertThat(clients).containsOnlyKeys(Client.S3A, Client.PENSTOCK);
    assertThat(clients.get(Client.S3A).throttled()).isEqualTo(1);
    assertThat(clients.get(Client.PENSTOCK).reads()).isEqualTo(2);
  }

  @Test
  void aMessageWhoseAnswerWasLostIsNotCountedTwice() throws IOException {
    get(ofExecutor, 3);
    driver.answer("1", executor.question().orElseThrow());
    executor.failed(new IOException("the answer was lost"));
    get(ofExecutor, 3);
    get(ofExecutor, 5);
    tell();
    get(ofExecutor, 3);
    tell();

    assertThat(driver.sums().total().total().reads()).isEqualTo(4);
    assertThat(driver.sums().executors().get("1").reads()).isEqualTo(4);
  }

  @Test
  void aMessageThatNeverArrivedIsToldWithTheNextOne() throws IOException {
    get(ofExecutor, 3);
    assertThat(executor.question()).isPresent();
    executor.failed(new IOException("the driver was not reached"));
    get(ofExecutor, 3);
    tell();

    assertThat(driver.sums().total().total().reads()).isEqualTo(2);
  }

  @Test
  void theDriverKnowsWhetherAllExecutorsHaveSaidTheirLast() {
    assertThat(driver.isComplete()).isTrue();
    driver.executorAdded("driver");
    assertThat(driver.isComplete()).as("local mode").isTrue();
    driver.executorAdded("1");
    driver.executorAdded("2");
    assertThat(driver.isComplete()).isFalse();
    new LastWords(driver).answer("1", new byte[0]);
    driver.executorRemoved("2");
    assertThat(driver.isComplete()).isTrue();
    new LastWords(driver).answer("3", new byte[0]);
    driver.executorAdded("3"); // Spark's event is late
    assertThat(driver.isComplete()).isTrue();
  }

  @Test
  void aMessageThatTheLastOneHasOvertakenIsNotCounted() throws IOException {
    get(ofExecutor, 3);
    byte[] slow = executor.question().orElseThrow();
    get(ofExecutor, 3);
    byte[] last = executor.question().orElseThrow();
    driver.answer("1", last);
    new LastWords(driver).answer("1", new byte[0]);
    driver.answer("1", slow);

    assertThat(driver.sums().total().total().reads()).isEqualTo(2);
  }

  @Test
  void anExecutorThatIsGoneMayStillSayItsLast() throws IOException {
    get(ofExecutor, 3);
    driver.answer("1", executor.question().orElseThrow()); // and the answer is lost
    driver.executorRemoved("1");
    get(ofExecutor, 3);
    driver.answer("1", executor.question().orElseThrow());
    new LastWords(driver).answer("1", new byte[0]);

    assertThat(driver.sums().total().total().reads()).isEqualTo(2);
    assertThat(driver.isComplete()).isTrue();
  }

  @Test
  void whatCannotBeToldForLongIsBounded() throws IOException {
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 1_000; i++) {
        get(ofExecutor, round * 1_000 + i);
      }
      assertThat(executor.question().orElseThrow().length).isLessThan(1_000_000);
      executor.failed(new IOException("the driver does not answer"));
    }
    tell();
    assertThat(driver.sums().total().total().reads()).isEqualTo(10_000);
  }

  @Test
  void aKeyOfAnyLengthIsTold() throws IOException {
    ofExecutor.add(
        Client.PENSTOCK,
        Operation.GET,
        "lake",
        "\u20ac".repeat(70_000) + "/a",
        Origin.NONE,
        new Attempted(1, 0, 10, End.OK, false, false));
    tell();
    assertThat(driver.sums().total().total().reads()).isEqualTo(1);
  }

  @Test
  void queriesAboveTheLimitAreNoQuery() throws IOException {
    for (int stage = 0; stage < 25_000; stage++) {
      get(ofExecutor, stage);
      if (stage % 1_000 == 999) {
        tell();
      }
    }
    assertThat(DriverAccounts.byQuery(driver.sums().total())).containsOnlyKeys(7L);
  }

  @Test
  void whatAnApplicationKeepsIsBounded() throws IOException {
    for (int stage = 0; stage < 25_000; stage++) {
      get(ofExecutor, stage);
      if (stage % 1_000 == 999) {
        tell();
      }
    }

    DriverAccounts.Sums sums = driver.sums();

    assertThat(sums.total().works()).hasSizeLessThanOrEqualTo(10_001).containsKey(Work.REST);
    assertThat(sums.total().works().values().stream().mapToLong(RequestSums::requests).sum())
        .isEqualTo(25_000);
  }

  @Test
  void aDamagedMessageIsRefusedAndNothingOfItIsCounted() throws IOException {
    get(ofExecutor, 3);
    byte[] whole = executor.question().orElseThrow();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> driver.answer("1", cut)).isInstanceOf(IOException.class);
    }
    assertThat(driver.sums().total().isEmpty()).isTrue();
  }
}
