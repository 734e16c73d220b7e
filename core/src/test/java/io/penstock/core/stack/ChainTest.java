/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Caller;
import io.penstock.core.config.Settings;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.retry.Probe;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryLayer;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The chain of production around an HTTP client: there is no store at all. */
class ChainTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Watchdog watch = new Watchdog(time);
  private final Engine engine = new Engine(time, new SplittableRandom(7), Runnable::run, watch);
  private final Settings settings = Settings.of(Map.of());
  private final Chain chain =
      new Chain(engine, Layer.END, engine.endpoints().of("s3.local"), "lake", settings);
  private final RetryLayer layers = chain.retrying(RetryConfig.from(settings), Probe.NONE);
  private final Http http = new Http();

  /** An HTTP client that answers as it is told, with a status after some milliseconds. */
  private final class Http {
    private record Answer(int status, long millis) {}

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> requests = new ArrayList<>();

    Http answers(int status, long millis) {
      answers.add(new Answer(status, millis));
      return this;
    }

    int execute(String line, Context context) throws IOException {
      requests.add(line);
      Answer answer = answers.remove();
      boolean[] isAborted = {false};
      context.attempt().onCut(() -> isAborted[0] = true);
      for (long millis = 0; millis < answer.millis(); millis += 10) {
        time.advance(Duration.ofMillis(10));
        watch.tick(time.nowNanos());
        if (isAborted[0]) {
          throw failure(Kind.CONNECTION_LOST, "aborted.");
        }
      }
      context.attempt().received(1_000);
      return switch (answer.status()) {
        case 503 -> throw failure(Kind.THROTTLED, "503.");
        case 500 -> throw failure(Kind.SERVER_ERROR, "500.");
        case 404 -> throw failure(Kind.NO_SUCH_KEY, "404.");
        default -> answer.status();
      };
    }
  }

  private static StoreException failure(Kind kind, String text) {
    return StoreException.of(kind, Operation.GET, "s3://lake/a", text);
  }

  private int get() throws IOException {
    Request<Integer> request =
        Request.<Integer>of(Operation.GET, "lake", "a").weighing(1_000).doubled(Doubling.ANY_TIME);
    Exchange<Integer> exchange = own -> http.execute("GET /a HTTP/1.1", own);
    return layers.send(request, Context.of(Caller.NOBODY), exchange);
  }

  @Test
  void anAnswerPassesAndIsCounted() throws IOException {
    http.answers(200, 30);
    assertThat(get()).isEqualTo(200);
    assertThat(engine.metrics().counts().get(Operation.GET))
        .isEqualTo(new StoreMetrics.Count(1, 0, 0, 0, 0, 1_000, 30_000_000));
  }

  @Test
  void errorsAreRepeatedAndThrottlesSlowDown() throws IOException {
    http.answers(500, 10).answers(503, 10).answers(503, 10).answers(200, 10);
    assertThat(get()).isEqualTo(200);
    assertThat(http.requests).hasSize(4);
    assertThat(engine.metrics().counts().get(Operation.GET).throttled()).isEqualTo(2);
    assertThat(engine.metrics().retriesInAll().failed()).isEqualTo(1);
    assertThat(engine.rates().rates().get(new GroupId("lake", Traffic.READ)).get(""))
        .isLessThan(Double.POSITIVE_INFINITY);
  }

  @Test
  void aSlowAttemptIsOvertakenAndAborted() throws IOException {
    http.answers(200, 60_000).answers(200, 80);
    assertThat(get()).isEqualTo(200);
    assertThat(http.requests).hasSize(2);
    assertThat(engine.metrics().hedges().count())
        .isEqualTo(new HedgeMetrics.Count(1, 1, 0, 0, 0, 0));
    assertThat(Duration.ofNanos(time.nowNanos())).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aRefusalIsNotRepeated() {
    http.answers(404, 10);
    assertThatThrownBy(this::get)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_KEY));
    assertThat(http.requests).hasSize(1);
  }
}
