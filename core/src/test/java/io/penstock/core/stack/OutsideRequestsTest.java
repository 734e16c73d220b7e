/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Caller;
import io.penstock.core.config.Settings;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.metrics.RequestEvent;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Context;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.stack.OutsideRequests.Sending;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that another client sends. */
class OutsideRequestsTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final GroupId READS = new GroupId("lake", Traffic.READ);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Engine engine =
      new Engine(time, new SplittableRandom(7), Runnable::run, new Watchdog(time));
  private final List<RequestEvent> events = new ArrayList<>();

  @BeforeEach
  void listen() {
    engine.events().add(events::add);
  }

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  private static Settings limit(int rate) {
    return Settings.of(Map.of("penstock.rate.max", String.valueOf(rate)));
  }

  private OutsideRequests outside(Settings settings) {
    return engine.outside("lake", () -> settings);
  }

  private void joinStore(Settings settings) {
    var unused = new Chain(engine, Layer.END, engine.endpoints().of("s3.local"), "lake", settings);
  }

  private static Optional<Sending> begin(OutsideRequests requests, Duration waitMax) {
    return requests.begin(
        Request.of(Operation.HEAD, "lake", "t/a"), Context.of(Caller.NOBODY), waitMax);
  }

  private Double rate() {
    return engine.rates().rates().get(READS).get("");
  }

  private List<String> outcomes() {
    return events.stream().map(RequestEvent::outcome).toList();
  }

  @Test
  void theSettingsOfAStoreHold() {
    joinStore(limit(7));
    outside(limit(1_000));
    assertThat(rate()).isEqualTo(7);
  }

  @Test
  void aStoreThatComesLaterBringsItsSettings() {
    outside(limit(1_000));
    joinStore(limit(7));
    assertThat(rate()).isEqualTo(7);
  }

  @Test
  void requestsWaitForTheirPermits() {
    OutsideRequests requests = outside(limit(2));
    for (int i = 0; i < 21; i++) {
      begin(requests, LONG).orElseThrow().answered();
    }
    assertThat(time.nowNanos() / 1e9).isBetween(9.0, 10.1);
    assertThat(engine.metrics().snapshot().total().attempts()).isEqualTo(21);
  }

  @Test
  void whoeverMayNotWaitSendsAtOnce() {
    OutsideRequests requests = outside(limit(1));
    for (int i = 0; i < 10; i++) {
      begin(requests, Duration.ZERO).orElseThrow().answered();
    }
    assertThat(time.nowNanos()).isLessThan(1_000_000_000L);
    assertThat(outcomes().stream().filter("OK"::equals)).hasSize(10);
  }

  @Test
  void anInterruptedRequestIsNotCounted() {
    OutsideRequests requests = outside(limit(1));
    begin(requests, LONG).orElseThrow().answered();
    Thread.currentThread().interrupt();
    assertThat(begin(requests, LONG)).isEmpty();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(engine.metrics().snapshot().total().attempts()).isEqualTo(1);
  }

  @Test
  void onlyTheFirstEndCounts() {
    Sending sending = begin(outside(limit(100)), LONG).orElseThrow();
    sending.failed(StoreException.of(Kind.THROTTLED, Operation.HEAD, "s3://lake/t/a", "503."));
    sending.answered();
    sending.lost("late");
    assertThat(outcomes()).containsExactly("THROTTLED");
  }

  @Test
  void whatIsNeverEndedIsLostAfterAQuarterOfAnHour() {
    Sending cancelled = begin(outside(limit(100)), LONG).orElseThrow();
    time.advance(Duration.ofMinutes(14));
    begin(outside(limit(100)), LONG).orElseThrow().answered();
    assertThat(outcomes()).containsExactly("OK");
    time.advance(Duration.ofMinutes(2));
    OutsideRequests others = engine.outside("other", () -> limit(100));
    begin(others, LONG).orElseThrow().answered();
    assertThat(outcomes()).containsExactly("OK", "CONNECTION_LOST", "OK");
    cancelled.answered();
    assertThat(outcomes()).hasSize(3);
  }
}
