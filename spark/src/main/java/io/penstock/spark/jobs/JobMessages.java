/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.life.Leftovers.JobOutcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The executors' questions about jobs and the driver's answers, as bytes. */
final class JobMessages {
  /** The first byte of a message. The second byte is the version. */
  private static final int JOBS = 'J';

  private static final int VERSION = 1;

  private JobMessages() {}

  static byte[] question(Collection<String> jobIds) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = begin(bytes, jobIds.size());
    for (String id : jobIds) {
      out.writeUTF(id);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a question.
   *
   * @throws IOException when the message is not a question, or is of another version of Penstock
   */
  static Set<String> readQuestion(byte[] message) throws IOException {
    DataInputStream in = open(message);
    Set<String> jobIds = new LinkedHashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      jobIds.add(in.readUTF());
    }
    return jobIds;
  }

  static byte[] answer(Map<String, JobOutcome> outcomes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = begin(bytes, outcomes.size());
    for (Map.Entry<String, JobOutcome> entry : outcomes.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeBoolean(entry.getValue() == JobOutcome.COMMITTED);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads an answer.
   *
   * @throws IOException when the message is not an answer, or is of another version of Penstock
   */
  static Map<String, JobOutcome> readAnswer(byte[] message) throws IOException {
    DataInputStream in = open(message);
    Map<String, JobOutcome> outcomes = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      outcomes.put(in.readUTF(), in.readBoolean() ? JobOutcome.COMMITTED : JobOutcome.ABORTED);
    }
    return outcomes;
  }

  private static DataOutputStream begin(ByteArrayOutputStream bytes, int count) throws IOException {
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(JOBS);
    out.writeByte(VERSION);
    out.writeInt(count);
    return out;
  }

  private static DataInputStream open(byte[] message) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
    int kind = in.readUnsignedByte();
    int version = in.readUnsignedByte();
    if (kind != JOBS || version != VERSION) {
      throw new IOException(
          ("message %d of version %d is not one of jobs; driver and executors need the same"
                  + " penstock-spark.jar")
              .formatted(kind, version));
    }
    return in;
  }
}
