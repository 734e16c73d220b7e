/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import io.penstock.core.caller.Caller;
import io.penstock.core.config.Settings;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.request.Context;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.retry.Probe;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryLayer;
import io.penstock.core.stack.Chain;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * Sends each request through the chain of production, as a store's requests pass it, but in virtual
 * time and on one thread. It starts without statistics.
 *
 * <p>An attempt lets the time go on in small steps until it is over. In one of these steps the
 * watchdog may start another attempt beside it, which then does the same inside of that step, and
 * gives up when an attempt around it is due.
 */
final class PenstockPolicy implements TailPolicy {
  /** The interval at which the watchdog checks requests. Hedges start only at these times. */
  private static final long LOOK_NANOS = 10_000_000;

  private static final String BUCKET = "simulated";

  /** A part as the files of the published job have them: 5.2 MiB. */
  private static final Request<Long> PART =
      Request.<Long>of(Operation.UPLOAD_PART, BUCKET, "part")
          .sending(5_452_595)
          .doubled(Doubling.ANY_TIME);

  private final Clock clock = new Clock();
  private final Watchdog watch = new Watchdog(clock);
  private final RetryLayer chain;
  private final Deque<UnderWay> underWay = new ArrayDeque<>();
  private boolean isAnswered;
  private long requests;
  private long attempts;

  /** A clock that is set for each request, as the requests of the run overlap. */
  private static final class Clock implements Time {
    private long nanos;

    @Override
    public long nowNanos() {
      return nanos;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public void sleep(Duration duration) {
      nanos += duration.toNanos();
    }
  }

  /**
   * @param seed of the jitter of the retries
   */
  PenstockPolicy(Settings settings, long seed) {
    Engine engine = new Engine(clock, new SplittableRandom(seed), Runnable::run, watch);
    this.chain =
        new Chain(engine, Layer.END, engine.endpoints().of(BUCKET), BUCKET, settings)
            .retrying(RetryConfig.from(settings), Probe.NONE);
  }

  @Override
  public String name() {
    return "penstock";
  }

  @Override
  public long serve(Draws draws, long nowNanos) {
    requests++;
    clock.nanos = nowNanos;
    isAnswered = false;
    int[] drawn = {0};
    try {
      return chain.send(
              PART, Context.of(Caller.NOBODY), own -> attempt(own, draws.nanos(drawn[0]++)))
          - nowNanos;
    } catch (IOException e) {
      throw new UncheckedIOException("the simulated store fails no request for good", e);
    }
  }

  /** An attempt, those around which have begun before it. */
  private static final class UnderWay {
    private final long dueNanos;
    private boolean isCut;

    UnderWay(long dueNanos) {
      this.dueNanos = dueNanos;
    }
  }

  /** Makes an attempt that takes so long, and returns the time of its answer. */
  private long attempt(Context context, long nanos) throws StoreException {
    attempts++;
    UnderWay own = new UnderWay(clock.nanos + nanos);
    context.attempt().onCut(() -> own.isCut = true);
    underWay.push(own);
    try {
      while (clock.nanos < own.dueNanos) {
        long end = firstDueNanos();
        clock.nanos = Math.min(end, (clock.nanos / LOOK_NANOS + 1) * LOOK_NANOS);
        watch.tick(clock.nanos);
        boolean isOvertaken = clock.nanos == end && end < own.dueNanos;
        if (own.isCut || isAnswered || isOvertaken) {
          throw lost();
        }
      }
    } finally {
      underWay.pop();
      context.attempt().onCut(null);
    }
    isAnswered = true;
    return clock.nanos;
  }

  /** Returns when the first of those under way is due that are not cut. */
  private long firstDueNanos() {
    long first = Long.MAX_VALUE;
    for (UnderWay one : underWay) {
      first = one.isCut ? first : Math.min(first, one.dueNanos);
    }
    return first;
  }

  private static StoreException lost() {
    return StoreException.of(Kind.CONNECTION_LOST, Operation.UPLOAD_PART, BUCKET, "cut.");
  }

  @Override
  public long extraAttempts() {
    return attempts - requests;
  }
}
