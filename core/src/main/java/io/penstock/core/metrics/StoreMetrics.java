/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.store.Operation;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts attempts by operation. Safe for many threads, and cheap enough for every attempt. */
public final class StoreMetrics {
  private final Map<Operation, Counters> counters = new EnumMap<>(Operation.class);
  private final Map<Client, LongAdder> clients = new EnumMap<>(Client.class);
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final Map<Operation, RetryCounters> retries = new EnumMap<>(Operation.class);
  private final HedgeMetrics hedges = new HedgeMetrics();
  private final RequestAccounts accounts = new RequestAccounts();

  /**
   * The counts since the object was created.
   *
   * @param attempts HTTP attempts, successful or failed; the store sees all and bills most of them
   * @param misses attempts that were answered that there is no such object, or that a condition
   *     does not hold, and listings that found nothing
   * @param failed attempts that failed for another reason than these and throttling
   * @param throttled attempts that failed with {@code THROTTLED}
   * @param sentBytes content bytes that the attempts carried, also those of failed attempts
   * @param receivedBytes content bytes of successful GETs
   * @param busyNanos total duration of all attempts
   */
  public record Count(
      long attempts,
      long misses,
      long failed,
      long throttled,
      long sentBytes,
      long receivedBytes,
      long busyNanos) {
    static final Count NONE = new Count(0, 0, 0, 0, 0, 0, 0);

    Count plus(Count other, int times) {
      return new Count(
          attempts + times * other.attempts,
          misses + times * other.misses,
          failed + times * other.failed,
          throttled + times * other.throttled,
          sentBytes + times * other.sentBytes,
          receivedBytes + times * other.receivedBytes,
          busyNanos + times * other.busyNanos);
    }
  }

  /**
   * The number and the total time of waits for a permit. Permits that were free at once do not
   * count.
   */
  public record Waits(long times, long nanos) {
    Waits plus(Waits other, int often) {
      return new Waits(times + often * other.times, nanos + often * other.nanos);
    }
  }

  /**
   * Attempts that were made because an earlier one had failed.
   *
   * @param failed retries after a failure other than a throttled answer
   * @param throttled retries after a throttled answer
   * @param waitedNanos total time of the waits before them
   */
  public record Retries(long failed, long throttled, long waitedNanos) {
    static final Retries NONE = new Retries(0, 0, 0);

    Retries plus(Retries other, int times) {
      return new Retries(
          failed + times * other.failed,
          throttled + times * other.throttled,
          waitedNanos + times * other.waitedNanos);
    }
  }

  private static final class RetryCounters {
    final LongAdder failed = new LongAdder();
    final LongAdder throttled = new LongAdder();
    final LongAdder waitedNanos = new LongAdder();

    Retries count() {
      return new Retries(failed.sum(), throttled.sum(), waitedNanos.sum());
    }
  }

  private static final class Counters {
    final LongAdder attempts = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder throttled = new LongAdder();
    final LongAdder sentBytes = new LongAdder();
    final LongAdder receivedBytes = new LongAdder();
    final LongAdder busyNanos = new LongAdder();

    Count count() {
      return new Count(
          attempts.sum(),
          misses.sum(),
          failed.sum(),
          throttled.sum(),
          sentBytes.sum(),
          receivedBytes.sum(),
          busyNanos.sum());
    }
  }

  public StoreMetrics() {
    for (Client client : Client.values()) {
      clients.put(client, new LongAdder());
    }
    for (Operation operation : Operation.values()) {
      counters.put(operation, new Counters());
      retries.put(operation, new RetryCounters());
    }
  }

  /** Returns the counts of hedges, and of attempts that were cut because they were slow. */
  public HedgeMetrics hedges() {
    return hedges;
  }

  /** Returns the sums by query, stage and path, which somebody must open and take. */
  public RequestAccounts accounts() {
    return accounts;
  }

  void attempted(Client client, Operation operation, Attempted attempt) {
    clients.get(client).increment();
    Counters counter = counters.get(operation);
    counter.attempts.increment();
    counter.sentBytes.add(attempt.sentBytes());
    counter.receivedBytes.add(attempt.receivedBytes());
    counter.busyNanos.add(attempt.nanos());
    switch (attempt.end()) {
      case OK -> {}
      case MISS -> counter.misses.increment();
      case FAILED -> counter.failed.increment();
      case THROTTLED -> counter.throttled.increment();
    }
  }

  /** Records that a request has waited for its permit. */
  public void waited(long nanos) {
    waits.increment();
    waitNanos.add(nanos);
  }

  public Waits waits() {
    return new Waits(waits.sum(), waitNanos.sum());
  }

  /**
   * Records that an attempt is made after this wait because the one before failed or was throttled.
   */
  public void retried(Operation operation, boolean throttled, long waitedNanos) {
    RetryCounters counter = retries.get(operation);
    (throttled ? counter.throttled : counter.failed).increment();
    counter.waitedNanos.add(waitedNanos);
  }

  /** Returns the retries so far. Operations that never had a retry are included with zeros. */
  public Map<Operation, Retries> retries() {
    Map<Operation, Retries> counts = new EnumMap<>(Operation.class);
    retries.forEach((operation, counter) -> counts.put(operation, counter.count()));
    return counts;
  }

  /** Returns the retries of all operations together. */
  public Retries retriesInAll() {
    return retries().values().stream().reduce(Retries.NONE, (some, more) -> some.plus(more, 1));
  }

  /** Returns all counts so far. */
  public MetricsSnapshot snapshot() {
    return new MetricsSnapshot(counts(), byClient(), waits(), retriesInAll(), hedges.count());
  }

  private Map<Client, Long> byClient() {
    Map<Client, Long> attempts = new EnumMap<>(Client.class);
    clients.forEach((client, counter) -> attempts.put(client, counter.sum()));
    return attempts;
  }

  /** Returns the counts so far. Operations that never happened are included with zeros. */
  public Map<Operation, Count> counts() {
    Map<Operation, Count> counts = new EnumMap<>(Operation.class);
    counters.forEach((operation, counter) -> counts.put(operation, counter.count()));
    return counts;
  }
}
