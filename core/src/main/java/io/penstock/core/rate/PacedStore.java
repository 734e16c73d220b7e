/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.attempt.Cancellation;
import io.penstock.core.metrics.RequestEvent;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.pool.Wait;
import io.penstock.core.retry.Pacing;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Sends each request when its pacer allows it, and reports the result to the pacer. All requests of
 * the process that wait for the same partition, from any store, wait in one queue in their order of
 * arrival. A waiting request holds no connection.
 *
 * <p>A request that waits longer than {@link RateConfig#waitMax} fails with an IOException that is
 * no StoreException, so that it is not repeated. A second attempt fails with {@code THROTTLED} when
 * several others wait already, and a cut one with {@code CONNECTION_LOST}; neither was sent then.
 */
public final class PacedStore extends StoreWrapper {
  /**
   * A waiting request checks this often whether a new lease allows more, or whether it was
   * cancelled.
   */
  private static final long LOOK_NANOS = 50_000_000;

  /**
   * Most second attempts that may wait for permits of one partition. More would only use up the
   * threads that other buckets' second attempts need: where permits are scarce, an attempt is
   * seldom slow by chance.
   */
  private static final int BESIDE_WAITING_MAX = 4;

  private final RateConfig config;
  private final Time time;
  private final StoreMetrics metrics;
  private final RequestEvents events;
  private final Map<Traffic, RateControl.Member> members = new EnumMap<>(Traffic.class);

  public PacedStore(
      ObjectStore inner,
      RateControl control,
      RateConfig config,
      Time time,
      StoreMetrics metrics,
      RequestEvents events) {
    super(inner);
    this.config = config;
    this.time = time;
    this.metrics = metrics;
    this.events = events;
    for (Traffic traffic : Traffic.values()) {
      GroupId id = new GroupId(inner.bucket(), traffic);
      members.put(traffic, control.join(id, config, time.nowNanos()));
    }
  }

  /**
   * Returns what a throttled request for the key must do before its retry, and the requests that
   * back off with it.
   */
  public Pacing.Standing standing(Operation operation, String key) {
    Pacer pacer = pacer(Traffic.of(operation), key);
    return new Pacing.Standing(pacer.repeat(), pacer.crowd());
  }

  /** Returns how many partitions have waiting requests. */
  int queues() {
    return members.values().stream().mapToInt(member -> member.gates().size()).sum();
  }

  private Pacer pacer(Traffic traffic, String key) {
    return members.get(traffic).group(time.nowNanos()).pacerOf(key);
  }

  @Override
  protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
      throws IOException {
    Pacer pacer = pacer(Traffic.of(operation), key);
    long sent = admitted(operation, key, pacer, 1);
    try {
      T answer = call.run();
      pacer.answered(sent, time.nowNanos(), 1, false);
      return answer;
    } catch (StoreException e) {
      failed(e, pacer, sent, 1);
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      pacer.lost(time.nowNanos());
      throw e;
    }
  }

  /**
   * Reports a failure to the pacer. If the network lost the request, the failure says nothing about
   * the store.
   */
  private void failed(StoreException e, Pacer pacer, long sent, double weight) {
    if (e.kind() == Kind.UNREACHABLE || e.kind() == Kind.CONNECTION_LOST) {
      pacer.lost(time.nowNanos());
    } else {
      pacer.answered(sent, time.nowNanos(), weight, e.kind() == Kind.THROTTLED);
    }
  }

  /**
   * S3 counts each key as a request. The keys that it throttled are listed in a successful answer.
   */
  @Override
  public Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    String first = keys.isEmpty() ? "" : keys.get(0);
    Pacer pacer = pacer(Traffic.WRITE, first);
    long sent = admitted(Operation.DELETE_ALL, first, pacer, Math.max(1, keys.size()));
    try {
      Map<String, StoreException> failed = inner.deleteAll(keys);
      long throttled = failed.values().stream().filter(e -> e.kind() == Kind.THROTTLED).count();
      double ok = Math.max(0, keys.size() - throttled);
      pacer.answered(sent, time.nowNanos(), ok, (double) throttled);
      return failed;
    } catch (StoreException e) {
      failed(e, pacer, sent, e.kind() == Kind.THROTTLED ? 1 : keys.size());
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      pacer.lost(time.nowNanos());
      throw e;
    }
  }

  /** Waits for the permit, and returns the time at which it was given, in nanoseconds. */
  private long admitted(Operation operation, String key, Pacer pacer, double weight)
      throws IOException {
    long arrived = time.nowNanos();
    pacer.arrive(arrived);
    FifoGate gate = members.get(Traffic.of(operation)).gates().at(pacer.partition());
    boolean isTaken = false;
    try {
      if (gate.isFree() && pacer.take(arrived, weight) == 0) {
        isTaken = true;
        return arrived;
      }
      Wait.FOR_PERMIT.during(() -> passed(gate, operation, key, pacer, arrived, weight));
      isTaken = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          operation + " " + object(key) + ": interrupted while waiting for a permit");
    } finally {
      if (!isTaken) {
        pacer.leave(time.nowNanos());
      }
    }
    long now = time.nowNanos();
    metrics.waited(now - arrived);
    events.tell(
        () ->
            RequestEvent.wait(
                time.now().minusNanos(now - arrived), operation, bucket(), key, now - arrived));
    return now;
  }

  private void passed(
      FifoGate gate, Operation operation, String key, Pacer pacer, long arrived, double weight)
      throws IOException, InterruptedException {
    long end = arrived + config.waitMax().toNanos();
    try {
      gate.enter(
          isBeside(),
          LOOK_NANOS,
          () -> {
            check(operation, key, pacer, end);
            refuseManyBeside(gate, operation, key);
          });
      long wait;
      while ((wait = pacer.take(time.nowNanos(), weight)) > 0) {
        check(operation, key, pacer, end);
        time.sleep(Duration.ofNanos(Math.min(wait, LOOK_NANOS)));
      }
    } finally {
      gate.leave();
    }
  }

  private void refuseManyBeside(FifoGate gate, Operation operation, String key)
      throws StoreException {
    if (isBeside() && !gate.isAmongFirstBeside(BESIDE_WAITING_MAX)) {
      throw StoreException.of(
          Kind.THROTTLED, operation, object(key), "second attempts wait for permits already.");
    }
  }

  private static boolean isBeside() {
    return Attempt.current().filter(Attempt::isBeside).isPresent();
  }

  private void check(Operation operation, String key, Pacer pacer, long end) throws IOException {
    Cancellation.checkCurrent();
    if (Attempt.current().flatMap(Attempt::cutBecause).isPresent()) {
      throw StoreException.of(
          Kind.CONNECTION_LOST, operation, object(key), "cut while waiting for a permit.");
    }
    if (time.nowNanos() > end) {
      throw new IOException(
          ("%s %s: waited %d s for a permit, of which %.1f a second are given now; gave up at"
                  + " penstock.rate.wait.max. %s. See docs/troubleshooting.md#throttled")
              .formatted(
                  operation,
                  object(key),
                  config.waitMax().toSeconds(),
                  pacer.rate(),
                  pacer.isAtCeiling()
                      ? "Raise penstock.rate.max and penstock.rate.cluster.max"
                      : "Write under more prefixes, or with fewer executors"));
    }
  }

  private String object(String key) {
    return "s3://" + bucket() + "/" + key;
  }
}
