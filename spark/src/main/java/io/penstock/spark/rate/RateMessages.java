/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.spark.heartbeat.Versioned;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The executors' reports about request rates and the driver's leases, as bytes. */
final class RateMessages {
  private static final Versioned RATES = new Versioned('R', 4, "a message about request rates");

  private RateMessages() {}

  @FunctionalInterface
  private interface Writer<T> {
    void write(DataOutput out, T value) throws IOException;
  }

  @FunctionalInterface
  private interface Reader<T> {
    T read(DataInput in) throws IOException;
  }

  static byte[] reports(Map<GroupId, RateReport> reports) throws IOException {
    return RATES.message(out -> writeGroups(out, reports, RateMessages::writeReport));
  }

  /**
   * Reads reports.
   *
   * @throws IOException when the message has none, or is of another version of Penstock
   */
  static Map<GroupId, RateReport> readReports(byte[] message) throws IOException {
    return readGroups(RATES.open(message), RateMessages::readReport);
  }

  static byte[] leases(Map<GroupId, Lease> leases) throws IOException {
    return RATES.message(out -> writeGroups(out, leases, RateMessages::writeLease));
  }

  /**
   * Reads an answer.
   *
   * @throws IOException when the message is not an answer, or is of another version of Penstock
   */
  static Map<GroupId, Lease> readLeases(byte[] message) throws IOException {
    return readGroups(RATES.open(message), RateMessages::readLease);
  }

  private static <T> void writeGroups(DataOutput out, Map<GroupId, T> groups, Writer<T> writer)
      throws IOException {
    out.writeInt(groups.size());
    for (Map.Entry<GroupId, T> entry : groups.entrySet()) {
      out.writeUTF(entry.getKey().bucket());
      out.writeUTF(entry.getKey().traffic().name());
      writer.write(out, entry.getValue());
    }
  }

  private static <T> Map<GroupId, T> readGroups(DataInput in, Reader<T> reader) throws IOException {
    int count = in.readInt();
    Map<GroupId, T> groups = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      GroupId id = new GroupId(in.readUTF(), Traffic.valueOf(in.readUTF()));
      groups.put(id, reader.read(in));
    }
    return groups;
  }

  private static void writeReport(DataOutput out, RateReport report) throws IOException {
    writeList(out, report.partitions(), RateMessages::writeSeen);
    writeList(out, report.prefixes(), RateMessages::writeSeen);
  }

  private static RateReport readReport(DataInput in) throws IOException {
    return new RateReport(
        readList(in, RateMessages::readSeen), readList(in, RateMessages::readSeen));
  }

  private static void writeSeen(DataOutput out, Seen seen) throws IOException {
    out.writeUTF(seen.prefix());
    out.writeDouble(seen.ok());
    out.writeDouble(seen.throttled());
    out.writeInt(seen.waiting());
  }

  private static Seen readSeen(DataInput in) throws IOException {
    return new Seen(in.readUTF(), in.readDouble(), in.readDouble(), in.readInt());
  }

  private static void writeLease(DataOutput out, Lease lease) throws IOException {
    writeList(out, lease.shares(), RateMessages::writeShare);
    out.writeInt(lease.executors());
    out.writeDouble(lease.most());
  }

  private static Lease readLease(DataInput in) throws IOException {
    return new Lease(readList(in, RateMessages::readShare), in.readInt(), in.readDouble());
  }

  private static void writeShare(DataOutput out, Share share) throws IOException {
    out.writeUTF(share.prefix());
    out.writeUTF(share.mode().name());
    out.writeDouble(share.rate());
  }

  private static Share readShare(DataInput in) throws IOException {
    return new Share(in.readUTF(), Share.Mode.valueOf(in.readUTF()), in.readDouble());
  }

  private static <T> void writeList(DataOutput out, Collection<T> list, Writer<T> writer)
      throws IOException {
    out.writeInt(list.size());
    for (T value : list) {
      writer.write(out, value);
    }
  }

  private static <T> List<T> readList(DataInput in, Reader<T> reader) throws IOException {
    int count = in.readInt();
    List<T> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(reader.read(in));
    }
    return list;
  }
}
