/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a query that writes a checkpoint. A negative epoch throws an IllegalArgumentException.
 *
 * @param epoch of the run's claim; 0 if the run has not claimed the checkpoint, or if the epoch is
 *     not known here
 * @param application the Spark application's id
 * @param host on which the driver runs
 * @param pid process id of the driver
 * @param query id of the query, the same for all its runs; empty if it is not known
 * @param run id of the run; empty if it is not known
 */
public record Writer(
    long epoch, String application, String host, long pid, String query, String run) {
  private static final String PAIRS = ";";

  /** Replaces the characters that cannot be used in a header or a JSON text as they are. */
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

  /** Returns the same writer with the epoch of its claim. */
  public Writer at(long claimed) {
    return new Writer(claimed, application, host, pid, query, run);
  }

  /** Returns true if the run has claimed the checkpoint. */
  public boolean hasClaimed() {
    return epoch > 0;
  }

  /**
   * Returns the write id for an object that this run writes.
   *
   * @param write text that is different for each write
   */
  public String writeId(String write) {
    return String.format(
        Locale.ROOT,
        "epoch=%d;app=%s;host=%s;pid=%d;query=%s;run=%s;write=%s",
        epoch,
        application,
        host,
        pid,
        query,
        run,
        write);
  }

  /** Returns the writer that a write id names; empty if it is no write id of a checkpoint. */
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

  /** Returns true if both are runs of one query and the other has a later claim than this one. */
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
