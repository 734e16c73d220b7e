/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.MetricsSnapshot;
import io.penstock.core.metrics.StoreMetrics.Count;
import io.penstock.core.metrics.StoreMetrics.Retries;
import io.penstock.core.metrics.StoreMetrics.Waits;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.store.Operation;
import io.penstock.spark.heartbeat.Versioned;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** An executor's counts, as bytes. */
final class MetricsMessages {
  private static final Versioned METRICS = new Versioned('M', 3, "a message about metrics");

  private MetricsMessages() {}

  static byte[] toBytes(MetricsSnapshot snapshot) throws IOException {
    return METRICS.message(out -> write(out, snapshot));
  }

  private static void write(DataOutputStream out, MetricsSnapshot snapshot) throws IOException {
    out.writeInt(snapshot.counts().size());
    for (Map.Entry<Operation, Count> entry : snapshot.counts().entrySet()) {
      Count count = entry.getValue();
      out.writeUTF(entry.getKey().name());
      write(
          out,
          count.attempts(),
          count.misses(),
          count.failed(),
          count.throttled(),
          count.sentBytes(),
          count.receivedBytes(),
          count.busyNanos());
    }
    out.writeInt(snapshot.clients().size());
    for (Map.Entry<Client, Long> entry : snapshot.clients().entrySet()) {
      out.writeUTF(entry.getKey().title());
      out.writeLong(entry.getValue());
    }
    Retries retries = snapshot.retries();
    HedgeMetrics.Count hedges = snapshot.hedges();
    write(out, snapshot.waits().times(), snapshot.waits().nanos());
    write(out, retries.failed(), retries.throttled(), retries.waitedNanos());
    write(out, hedges.started(), hedges.won(), hedges.lost());
    write(out, hedges.denied(), hedges.deadlineCuts(), hedges.stallCuts());
  }

  private static void write(DataOutputStream out, long... numbers) throws IOException {
    for (long number : numbers) {
      out.writeLong(number);
    }
  }

  /**
   * Reads counts. Those of an operation that is unknown here are left out.
   *
   * @throws IOException when the message has no counts, or is of another version of Penstock
   */
  static MetricsSnapshot read(byte[] message) throws IOException {
    DataInputStream in = METRICS.open(message);
    Map<Operation, Count> counts = new EnumMap<>(Operation.class);
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      Count count =
          new Count(
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong());
      Stream.of(Operation.values())
          .filter(operation -> operation.name().equals(name))
          .forEach(operation -> counts.put(operation, count));
    }
    Map<Client, Long> clients = new EnumMap<>(Client.class);
    for (int left = in.readInt(); left > 0; left--) {
      clients.merge(Client.titled(in.readUTF()), in.readLong(), Long::sum);
    }
    return new MetricsSnapshot(
        counts,
        clients,
        new Waits(in.readLong(), in.readLong()),
        new Retries(in.readLong(), in.readLong(), in.readLong()),
        new HedgeMetrics.Count(
            in.readLong(),
            in.readLong(),
            in.readLong(),
            in.readLong(),
            in.readLong(),
            in.readLong()));
  }
}
