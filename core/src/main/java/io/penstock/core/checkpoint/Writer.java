/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who writes a checkpoint: one run of a query.
 *
 * @param epoch that the run's claim has got; 0 when it has not claimed the checkpoint, or when that
 *     is not known here
 * @param application the Spark application's id
 * @param host where its driver runs
 * @param pid of its driver
 * @param query the query's id, the same for all its runs; empty when it is not known
 * @param run the run's id, empty when it is not known
 */
public record Writer(
    long epoch, String application, String host, long pid, String query, String run) {
  private static final String PAIRS = ";";

  /** Replaces what could not stand in a header or a JSON text as it is. */
  public Writer {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative, got " + epoch);
    }
    application = plain(application);
    host = plain(host);
    query = plain(query);
    run = plain(run);
  }

  private static String plain(String text) {
    return text.replaceAll("[^A-Za-z0-9._:-]", "_");
  }

  /** The same with the epoch of its claim. */
  public Writer at(long claimed) {
    return new Writer(claimed, application, host, pid, query, run);
  }

  /** Returns true if it has claimed the checkpoint. */
  public boolean hasClaimed() {
    return epoch > 0;
  }

  /**
   * Returns the write id of an object that it writes.
   *
   * @param write different for each write
   */
  public String writeId(String write) {
    return "epoch=%d;app=%s;host=%s;pid=%d;query=%s;run=%s;write=%s"
        .formatted(epoch, application, host, pid, query, run, write);
  }

  /** The writer that a write id names; empty when it is no write id of a checkpoint. */
  public static Optional<Writer> ofWriteId(String writeId) {
    Map<String, String> values = new HashMap<>();
    for (String pair : writeId.split(PAIRS, -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        values.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    try {
      return Optional.of(
          new Writer(
              Long.parseLong(values.getOrDefault("epoch", "")),
              values.getOrDefault("app", ""),
              values.getOrDefault("host", ""),
              Long.parseLong(values.getOrDefault("pid", "")),
              values.getOrDefault("query", ""),
              values.getOrDefault("run", "")));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns true if both are of one query and the other began later. */
  public boolean isOvertakenBy(Writer other) {
    return hasClaimed() && query.equals(other.query) && other.epoch > epoch;
  }

  @Override
  public String toString() {
    return "application %s on %s (pid %d%s%s)"
        .formatted(
            application,
            host,
            pid,
            run.isEmpty() ? "" : ", run " + run,
            hasClaimed() ? ", epoch " + epoch : "");
  }
}
