/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A job that commits. Characters that are not allowed in a key are replaced by dashes. An empty
 * text becomes a dash.
 *
 * @param id of the job; no other job has the same id
 * @param application the Spark application's id, or another name for the process
 * @param user in whose name the driver runs
 * @param host on which the driver runs
 * @param pid process id of the driver
 * @param started time at which the commit began, by the driver's clock, in whole milliseconds; what
 *     is finer is cut off
 */
public record CommittingJob(
    String id, String application, String user, String host, long pid, Instant started) {
  /** Stands for what is not known. */
  public static final String UNKNOWN = "-";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

  public CommittingJob {
    id = plain(id);
    application = plain(application);
    user = plain(user);
    host = plain(host);
    Objects.requireNonNull(started, "started");
    started = started.truncatedTo(ChronoUnit.MILLIS);
  }

  private static String plain(String text) {
    return text.isEmpty() ? UNKNOWN : text.replaceAll("[^A-Za-z0-9.-]", "-");
  }

  /** Returns a name for another intent of the same process, for what is not the commit itself. */
  public CommittingJob named(String suffix) {
    return new CommittingJob(id + suffix, application, user, host, pid, started);
  }

  /** Returns the name of the job's intent. Names sort in the order in which the commits began. */
  String intentId() {
    return timeText(started) + "_" + id;
  }

  /** Returns the time as the beginning of a name. */
  static String timeText(Instant time) {
    return TIME.format(time);
  }

  /** Reads a time that {@link #timeText} has written. */
  static Instant time(String text) {
    return TIME.parse(text, Instant::from);
  }

  @Override
  public String toString() {
    return "job %s of %s on %s (pid %d), which began to commit at %s"
        .formatted(id, application, host, pid, started);
  }
}
