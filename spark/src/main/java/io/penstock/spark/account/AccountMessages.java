/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.LatencyCounts;
import io.penstock.core.metrics.account.RequestAccount;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.Work;
import io.penstock.core.store.Operation;
import io.penstock.spark.heartbeat.Versioned;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Writes and reads what an executor has added up since the driver's last answer. */
final class AccountMessages {
  private static final Versioned ACCOUNT = new Versioned('A', 2, "a message about requests");

  private AccountMessages() {}

  /**
   * A message.
   *
   * @param number grows by one after each answer; a message of the same number replaces the one
   *     before, of which the sender does not know that it arrived
   */
  record Told(long number, RequestAccount account) {}

  static byte[] toBytes(Told told) throws IOException {
    return ACCOUNT.message(
        out -> {
          out.writeLong(told.number());
          out.writeInt(told.account().works().size());
          for (Map.Entry<Work, RequestSums> entry : told.account().works().entrySet()) {
            out.writeLong(entry.getKey().query());
            out.writeInt(entry.getKey().stage());
            write(out, entry.getValue());
          }
          out.writeInt(told.account().paths().size());
          for (Map.Entry<String, RequestSums> entry : told.account().paths().entrySet()) {
            out.writeUTF(entry.getKey());
            write(out, entry.getValue());
          }
          out.writeInt(told.account().clients().size());
          for (Map.Entry<Client, RequestSums> entry : told.account().clients().entrySet()) {
            out.writeUTF(entry.getKey().title());
            write(out, entry.getValue());
          }
          out.writeInt(told.account().latencies().size());
          for (Map.Entry<Operation, LatencyCounts> entry : told.account().latencies().entrySet()) {
            out.writeUTF(entry.getKey().name());
            write(out, entry.getValue().counts());
          }
        });
  }

  private static void write(DataOutputStream out, RequestSums sums) throws IOException {
    long[] numbers = {
      sums.reads(),
      sums.writes(),
      sums.lists(),
      sums.deletes(),
      sums.misses(),
      sums.failed(),
      sums.throttled(),
      sums.repeats(),
      sums.hedges(),
      sums.sentBytes(),
      sums.receivedBytes(),
      sums.busyNanos(),
      sums.waits(),
      sums.waitedNanos(),
      sums.nanoDollars()
    };
    for (long number : numbers) {
      out.writeLong(number);
    }
  }

  /** Writes the steps that have counts, since most have none. */
  private static void write(DataOutputStream out, long[] counts) throws IOException {
    for (int step = 0; step < counts.length; step++) {
      if (counts[step] > 0) {
        out.writeByte(step);
        out.writeLong(counts[step]);
      }
    }
    out.writeByte(LatencyCounts.STEPS);
  }

  /**
   * Reads a message. Operations that are unknown here are left out.
   *
   * @throws IOException when the message is of another kind or version, or is damaged
   */
  static Told read(byte[] message) throws IOException {
    DataInputStream in = ACCOUNT.open(message);
    long number = in.readLong();
    Map<Work, RequestSums> works = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      works.put(new Work(in.readLong(), in.readInt()), sums(in));
    }
    Map<String, RequestSums> paths = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      paths.put(in.readUTF(), sums(in));
    }
    Map<Client, RequestSums> clients = new EnumMap<>(Client.class);
    for (int left = in.readInt(); left > 0; left--) {
      clients.merge(Client.titled(in.readUTF()), sums(in), RequestSums::plus);
    }
    Map<Operation, LatencyCounts> latencies = new EnumMap<>(Operation.class);
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      LatencyCounts counts = counts(in);
      Stream.of(Operation.values())
          .filter(operation -> operation.name().equals(name))
          .forEach(operation -> latencies.put(operation, counts));
    }
    return new Told(number, new RequestAccount(works, paths, clients, latencies));
  }

  private static RequestSums sums(DataInputStream in) throws IOException {
    return new RequestSums(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  private static LatencyCounts counts(DataInputStream in) throws IOException {
    long[] counts = new long[LatencyCounts.STEPS];
    for (int step = in.readByte(); step != LatencyCounts.STEPS; step = in.readByte()) {
      if (step < 0 || step > LatencyCounts.STEPS) {
        throw new IOException("a histogram of latencies has no step " + step);
      }
      counts[step] = in.readLong();
    }
    return new LatencyCounts(counts);
  }
}
