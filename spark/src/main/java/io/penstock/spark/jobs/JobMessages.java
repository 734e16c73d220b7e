/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.life.JobOutcome;
import io.penstock.spark.heartbeat.Versioned;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The executors' questions about jobs and the driver's answers, as bytes. */
final class JobMessages {
  private static final Versioned JOBS = new Versioned('J', 1, "a message about jobs");

  private JobMessages() {}

  static byte[] question(Collection<String> jobIds) throws IOException {
    return JOBS.message(
        out -> {
          out.writeInt(jobIds.size());
          for (String id : jobIds) {
            out.writeUTF(id);
          }
        });
  }

  /**
   * Reads a question.
   *
   * @throws IOException when the message is not a question, or is of another version of Penstock
   */
  static Set<String> readQuestion(byte[] message) throws IOException {
    DataInputStream in = JOBS.open(message);
    Set<String> jobIds = new LinkedHashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      jobIds.add(in.readUTF());
    }
    return jobIds;
  }

  static byte[] answer(Map<String, JobOutcome> outcomes) throws IOException {
    return JOBS.message(
        out -> {
          out.writeInt(outcomes.size());
          for (Map.Entry<String, JobOutcome> entry : outcomes.entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeBoolean(entry.getValue() == JobOutcome.COMMITTED);
          }
        });
  }

  /**
   * Reads an answer.
   *
   * @throws IOException when the message is not an answer, or is of another version of Penstock
   */
  static Map<String, JobOutcome> readAnswer(byte[] message) throws IOException {
    DataInputStream in = JOBS.open(message);
    Map<String, JobOutcome> outcomes = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      outcomes.put(in.readUTF(), in.readBoolean() ? JobOutcome.COMMITTED : JobOutcome.ABORTED);
    }
    return outcomes;
  }
}
