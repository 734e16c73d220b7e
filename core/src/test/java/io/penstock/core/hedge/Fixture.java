/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.deadline.DeadlineDecider;
import io.penstock.core.deadline.DeadlineLayer;
import io.penstock.core.deadline.SlowStore;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Layer;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;

/** A hedging store over one in memory, whose object "a" is answered as slowly as a test says. */
final class Fixture {
  static final Body BYTES = Body.ofBytes(new byte[] {1, 2, 3});

  final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  final Watchdog watch = new Watchdog(time);
  final HedgeMetrics metrics = new HedgeMetrics();
  final InMemoryStore memory = new InMemoryStore("lake", time);
  final SlowStore slow = new SlowStore(memory, time, watch);

  /** Hedges run at once, inside of the look that starts them. */
  final LayeredStore store = hedged(slow, Runnable::run);

  Fixture() {
    try {
      memory.put("a", BYTES, Condition.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  LayeredStore hedged(ObjectStore inner, Executor pool) {
    return hedged(inner, pool, true);
  }

  LayeredStore hedged(ObjectStore inner, Executor pool, boolean enabled) {
    HedgeConfig config = new HedgeConfig(enabled, 0.98, 0.02, Duration.ofMillis(50));
    LatencyModel model = new LatencyModel(0.98);
    DeadlineDecider deadlines =
        new DeadlineDecider(
            new DeadlineConfig(true, Duration.ofSeconds(10), Duration.ofSeconds(10)), model);
    Layer timely = new DeadlineLayer(new ThreadEnd(), deadlines, model, watch, metrics);
    HedgeDecider decider = new HedgeDecider(config, model);
    return LayeredStores.of(
        inner, new HedgeLayer(timely, timely, config, decider, watch, metrics, pool));
  }
}
