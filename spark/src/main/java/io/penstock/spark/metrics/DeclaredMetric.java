/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import io.penstock.core.metrics.MetricsSnapshot;
import io.penstock.core.metrics.StoreMetrics.Count;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.store.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A number in Spark's metrics, or a family of them. {@code docs/metrics.md} is made from these
 * declarations. A name that is stable is not changed before a new major version.
 *
 * @param name below the plugin's source; what is in capitals stands for a value
 * @param meaning a part of a sentence
 * @param values of counters by name; empty for rates, which appear and go with their buckets
 */
public record DeclaredMetric(
    String name,
    Kind kind,
    Unit unit,
    Stability stability,
    String meaning,
    Map<String, ToLongFunction<MetricsSnapshot>> values) {
  /** Before the names of counters that are sums over the driver and all executors. */
  public static final String APPLICATION = "application.";

  private static final String OPERATION = "OPERATION";
  private static final String CLIENT = "CLIENT";
  private static final String BUCKET = "BUCKET";
  private static final String TRAFFIC = "TRAFFIC";
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Allowed in this process. */
  public static final DeclaredMetric RATE =
      rate(
          "rate.",
          "how many reads or writes a second this process may send to the bucket; the lowest where"
              + " prefixes differ, -1 without a limit");

  /** Allowed in the whole application. */
  public static final DeclaredMetric CLUSTER_RATE =
      rate("clusterRate.", "the same for the whole application; on the driver only");

  /** In the order of the page. */
  public static final List<DeclaredMetric> ALL =
      List.of(
          byOperation("requests.", Unit.REQUESTS, "attempts", Count::attempts),
          byOperation(
                  "busy.millis.",
                  Unit.MILLISECONDS,
                  "the time of these attempts, added up",
                  count -> count.busyNanos() / NANOS_PER_MILLI)
              .evolving(),
          byClient(),
          counter(
                  "misses",
                  Unit.REQUESTS,
                  "attempts that found no object or, as listings, nothing, or whose condition did"
                      + " not hold",
                  now -> now.total().misses())
              .evolving(),
          counter(
                  "failed",
                  Unit.REQUESTS,
                  "attempts that failed for another reason than these and throttling",
                  now -> now.total().failed())
              .evolving(),
          counter(
                  "sent.bytes",
                  Unit.BYTES,
                  "content that attempts carried, also those that failed",
                  now -> now.total().sentBytes())
              .evolving(),
          counter(
                  "received.bytes",
                  Unit.BYTES,
                  "content of reads that succeeded",
                  now -> now.total().receivedBytes())
              .evolving(),
          counter(
              "throttled.reads",
              Unit.REQUESTS,
              "reads, listings among them, that were answered 503 or 429",
              now -> throttled(now, Traffic.READ)),
          counter(
              "throttled.writes",
              Unit.REQUESTS,
              "writes and deletes that were answered so",
              now -> throttled(now, Traffic.WRITE)),
          counter(
              "waits",
              Unit.REQUESTS,
              "requests that waited for a permit of the rate control",
              now -> now.waits().times()),
          counter(
              "waits.millis",
              Unit.MILLISECONDS,
              "these waits, added up",
              now -> now.waits().nanos() / NANOS_PER_MILLI),
          counter(
              "retries.failed",
              Unit.REQUESTS,
              "attempts that were made after a failure",
              now -> now.retries().failed()),
          counter(
              "retries.throttled",
              Unit.REQUESTS,
              "attempts that were made after a throttled answer",
              now -> now.retries().throttled()),
          counter(
              "retries.millis",
              Unit.MILLISECONDS,
              "the waits before both, added up",
              now -> now.retries().waitedNanos() / NANOS_PER_MILLI),
          counter(
              "hedges.started",
              Unit.REQUESTS,
              "second attempts beside a slow one",
              now -> now.hedges().started()),
          counter(
              "hedges.won",
              Unit.REQUESTS,
              "second attempts whose answer was used",
              now -> now.hedges().won()),
          counter(
              "hedges.lost",
              Unit.REQUESTS,
              "second attempts whose answer was not used",
              now -> now.hedges().lost()),
          counter(
              "hedges.denied",
              Unit.REQUESTS,
              "requests that were slow enough for a second attempt when the budget was spent",
              now -> now.hedges().denied()),
          counter(
              "cuts.deadline",
              Unit.REQUESTS,
              "attempts that were given up at their deadline",
              now -> now.hedges().deadlineCuts()),
          counter(
              "cuts.stall",
              Unit.REQUESTS,
              "attempts that were given up because their content stood still",
              now -> now.hedges().stallCuts()),
          RATE,
          CLUSTER_RATE);

  /** Tells how a number changes over time. */
  public enum Kind {
    /** Never falls while the process lives. */
    COUNTER,
    /** Goes up and down. */
    GAUGE
  }

  /** The unit of a number. */
  public enum Unit {
    REQUESTS,
    REQUESTS_A_SECOND,
    MILLISECONDS,
    BYTES;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Tells whether a name may change. */
  public enum Stability {
    STABLE,
    /** New; a minor version may change it, and says so. */
    EVOLVING
  }

  private static DeclaredMetric counter(
      String name, Unit unit, String meaning, ToLongFunction<MetricsSnapshot> value) {
    return new DeclaredMetric(
        name, Kind.COUNTER, unit, Stability.STABLE, meaning, Map.of(name, value));
  }

  /** Returns the same; a minor version may change it. */
  private DeclaredMetric evolving() {
    return new DeclaredMetric(name, kind, unit, Stability.EVOLVING, meaning, values);
  }

  private static DeclaredMetric byOperation(
      String prefix, Unit unit, String meaning, ToLongFunction<Count> value) {
    Map<String, ToLongFunction<MetricsSnapshot>> values = new LinkedHashMap<>();
    for (Operation operation : Operation.values()) {
      values.put(
          prefix + operation.name().toLowerCase(Locale.ROOT),
          now -> value.applyAsLong(now.of(operation)));
    }
    return new DeclaredMetric(
        prefix + OPERATION, Kind.COUNTER, unit, Stability.STABLE, meaning, values);
  }

  private static DeclaredMetric byClient() {
    Map<String, ToLongFunction<MetricsSnapshot>> values = new LinkedHashMap<>();
    for (Client client : Client.values()) {
      values.put("clients." + client.name().toLowerCase(Locale.ROOT), now -> now.of(client));
    }
    return new DeclaredMetric(
            "clients." + CLIENT,
            Kind.COUNTER,
            Unit.REQUESTS,
            Stability.STABLE,
            "attempts of Penstock's file system (penstock), and of other clients that have the"
                + " engine under them or are paced (s3a, s3fileio, sdk)",
            values)
        .evolving();
  }

  private static DeclaredMetric rate(String prefix, String meaning) {
    return new DeclaredMetric(
        prefix + BUCKET + "." + TRAFFIC,
        Kind.GAUGE,
        Unit.REQUESTS_A_SECOND,
        Stability.STABLE,
        meaning,
        Map.of());
  }

  private static long throttled(MetricsSnapshot now, Traffic traffic) {
    return now.counts().entrySet().stream()
        .filter(count -> Traffic.of(count.getKey()) == traffic)
        .mapToLong(count -> count.getValue().throttled())
        .sum();
  }

  /** Returns the name of a rate. */
  public String of(String bucket, Traffic traffic) {
    return name.replace(BUCKET, bucket).replace(TRAFFIC, traffic.name().toLowerCase(Locale.ROOT));
  }
}
