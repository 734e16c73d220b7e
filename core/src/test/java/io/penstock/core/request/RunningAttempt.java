/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.caller.Caller;
import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.deadline.DeadlineDecider;
import io.penstock.core.deadline.DeadlineLayer;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.Operation;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Makes an attempt on the thread of a test, as the last layers of a chain do. */
public final class RunningAttempt {
  private RunningAttempt() {}

  /** Works as this attempt, on behalf of the thread's caller. */
  public static <T> T run(Attempt attempt, Exchange<T> work) throws IOException {
    LatencyModel model = new LatencyModel(0.98);
    DeadlineConfig config =
        new DeadlineConfig(true, Duration.ofSeconds(10), Duration.ofSeconds(10));
    Layer layer =
        new DeadlineLayer(
            new ThreadEnd(),
            new DeadlineDecider(config, model),
            model,
            new Watchdog(SystemTime.INSTANCE),
            new HedgeMetrics());
    return through(layer, attempt, work);
  }

  /** Works as this attempt, which passes the layer. */
  public static <T> T through(Layer layer, Attempt attempt, Exchange<T> work) throws IOException {
    return through(layer, Operation.HEAD, attempt, work);
  }

  /** Works as this attempt of such a request, which passes the layer. */
  public static <T> T through(Layer layer, Operation operation, Attempt attempt, Exchange<T> work)
      throws IOException {
    Context context = new Context(Caller.current(), attempt, 0, 0, Optional.empty());
    return layer.send(Request.of(operation, "lake", "a"), context, work);
  }
}
