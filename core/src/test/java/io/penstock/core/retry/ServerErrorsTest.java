/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static io.penstock.core.retry.Fixture.OURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.sending.LostCreations;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of 500: from a store that serves nobody, and for one object of a store that works. */
class ServerErrorsTest {
  private static final Settings DEFAULTS = Settings.of(Map.of());
  private static final RetryConfig OF_TASKS = RetryConfig.from(DEFAULTS);
  private static final RetryConfig OF_COMMITS = RetryConfig.ofCommits(DEFAULTS);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore bare = new InMemoryStore("lake", time);
  private final EndpointHealth presence = EndpointHealth.alone();
  private final Map<Operation, Integer> asked = new EnumMap<>(Operation.class);
  private Refusal refusal = (operation, key, second) -> false;

  /** The requests that are answered with 500. */
  @FunctionalInterface
  private interface Refusal {
    boolean refuses(Operation operation, String key, double second);
  }

  private final ObjectStore failing =
      new StoreWrapper(bare) {
        @Override
        protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
            throws IOException {
          time.advance(Duration.ofMillis(10));
          asked.merge(operation, 1, Integer::sum);
          if (refusal.refuses(operation, key, seconds())) {
            throw StoreException.of(
                Kind.SERVER_ERROR, operation, "s3://lake/" + key, "InternalError (500).");
          }
          return call.run();
        }
      };

  @BeforeEach
  void serveOneRequest() throws IOException {
    retrying(OF_TASKS, 1).put("old", Body.ofBytes(OURS), Condition.NONE);
    time.advance(Duration.ofMinutes(1).minusMillis(10));
    asked.clear();
  }

  /** The outage begins after the first minute. */
  private double seconds() {
    return time.nowNanos() / 1e9 - 60;
  }

  private LayeredStore retrying(RetryConfig config, long seed) {
    return LayeredStores.retrying(
        failing, config, presence, LostCreations.NONE, time, new SplittableRandom(seed));
  }

  @Test
  void aRequestOfACommitOutlastsAStoreThatAnswersEverythingWith500() throws IOException {
    refusal = (operation, key, second) -> second % 1000 < 90;
    for (int seed = 0; seed < 200; seed++) {
      retrying(OF_COMMITS, seed).put("new-" + seed, Body.ofBytes(OURS), Condition.IF_ABSENT);
      assertThat(seconds() % 1000).as("seed %d", seed).isBetween(90.0, 111.0);
      time.advance(Duration.ofMillis(1_000_000 - (long) (seconds() % 1000 * 1000)));
    }
  }

  @Test
  void aRequestOfACommitWaitsForItsWholeTimeAndARequestOfATaskForThreeMinutes() {
    refusal = (operation, key, second) -> true;
    assertThatThrownBy(() -> retrying(OF_TASKS, 1).head("old"))
        .hasMessageMatching(".* Gave up after \\d+ attempts in 180\\.\\d s .*=180 s\\)\\.");
    assertThatThrownBy(() -> retrying(OF_COMMITS, 1).list(ListRequest.flat("")))
        .hasMessageMatching(
            ".* Gave up after \\d+ attempts in 900\\.\\d s \\(the limit for throttled requests,"
                + " commits and checkpoints is 900 s\\)\\.");
  }

  @Test
  void anObjectThatAStoreCannotServeEndsTheOnlyRequestOfAProcessAfter24Attempts() {
    refusal = (operation, key, second) -> key.equals("broken");
    for (int seed = 0; seed < 100; seed++) {
      LayeredStore retrying = retrying(OF_COMMITS, seed);
      assertThatThrownBy(() -> retrying.put("broken", Body.ofBytes(OURS), Condition.NONE))
          .as("seed %d", seed)
          .hasMessageMatching(
              ".* Gave up after 24 attempts in \\d+\\.\\d s"
                  + " \\(penstock\\.retry\\.attempts\\.max=24\\)\\.");
    }
    assertThat(presence.waits(time.nowNanos(), 0, "")).as("told as an outage").isEmpty();
    // At most one request for another object between two attempts.
    assertThat(asked.get(Operation.HEAD)).isLessThan(asked.get(Operation.PUT));
  }

  @Test
  void anOperationThatAStoreNeverServesEndsARequestAfter24Attempts() {
    for (Operation broken : List.of(Operation.HEAD, Operation.PUT, Operation.LIST)) {
      refusal = (operation, key, second) -> operation == broken;
      LayeredStore retrying = retrying(OF_COMMITS, 1);
      assertThatThrownBy(
              () -> {
                switch (broken) {
                  case HEAD -> retrying.head("old");
                  case PUT -> retrying.put("new", Body.ofBytes(OURS), Condition.IF_ABSENT);
                  default -> retrying.list(ListRequest.flat("table/"));
                }
              })
          .hasMessageContaining("Gave up after 24 attempts");
    }
  }

  @Test
  void anEndpointThatHasServedNobodyYetIsNotWaitedFor() {
    refusal = (operation, key, second) -> true;
    LayeredStore first =
        LayeredStores.retrying(
            failing, OF_COMMITS, time, new SplittableRandom(1)); // a new endpoint
    assertThatThrownBy(() -> first.head("old"))
        .hasMessageContaining("penstock.retry.attempts.max=24");
    assertThat(asked).isEqualTo(Map.of(Operation.HEAD, 24));
  }

  @Test
  void attemptsOfAnOutageDoNotCountOnceItIsOver() {
    List<Double> attempts = new ArrayList<>();
    refusal =
        (operation, key, second) -> {
          boolean isBroken = key.equals("broken");
          if (isBroken) {
            attempts.add(second);
          }
          return isBroken || second < 90;
        };

    assertThatThrownBy(
            () -> retrying(OF_COMMITS, 1).put("broken", Body.ofBytes(OURS), Condition.NONE))
        .hasMessageContaining("penstock.retry.attempts.max=24");

    // The first attempt of the outage counts, too: nothing is known of it at that time.
    assertThat(attempts.stream().filter(second -> second >= 90)).hasSize(23);
  }

  @Test
  void aStoreThatFailsHalfOfItsRequestsIsNoOutage() throws IOException {
    SplittableRandom coin = new SplittableRandom(3);
    refusal = (operation, key, second) -> coin.nextBoolean();
    LayeredStore retrying = retrying(OF_COMMITS, 1);
    List<Integer> attempts = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      asked.clear();
      retrying.put("new-" + i, Body.ofBytes(OURS), Condition.NONE);
      attempts.add(asked.get(Operation.PUT));
    }
    assertThat(Collections.max(attempts)).isLessThan(24);
  }

  @Test
  void aSingleServerErrorCostsNoOtherRequest() throws IOException {
    refusal = (operation, key, second) -> operation == Operation.PUT && second < 0.05;
    retrying(OF_TASKS, 1).put("new", Body.ofBytes(OURS), Condition.NONE);
    assertThat(asked).isEqualTo(Map.of(Operation.PUT, 2));
  }
}
