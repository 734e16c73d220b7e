/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.caller.Origin;
import io.penstock.core.request.Attempt;
import io.penstock.core.time.Time;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the {@code Referer} header that says for which application, query, stage and task a request
 * is made. S3's access logs keep the header. It has the form of S3A's, so that a tool that reads
 * one reads the other: {@code op} is the operation, {@code id} identifies the attempt, {@code ps}
 * the process, {@code ts} is the time in milliseconds, and {@code ta} the task attempt, whose first
 * number is the stage. S3A has no {@code ap} (the application), {@code qe} (the SQL query) and
 * {@code sa} (the attempt of the stage). Contains nothing but names and numbers, and at most 1,000
 * characters.
 */
public final class AuditReferer {
  /** Far above the length of the ids that clusters give: YARN's has 30 characters. */
  private static final int APPLICATION_MAX = 200;

  private final Time time;
  private final String process;
  private final AtomicLong attempts = new AtomicLong();

  /** The last one: most processes work for one application, and each request asks. */
  private volatile Named named = new Named("", "");

  /**
   * @param process identifies the process among all that send requests
   */
  public AuditReferer(Time time, UUID process) {
    this.time = time;
    this.process = process.toString();
  }

  /** Returns the header of an attempt. */
  String text(Attempt attempt) {
    String operation =
        attempt.operation().map(some -> some.name().toLowerCase(Locale.ROOT)).orElse("other");
    String id = process + "-" + Long.toHexString(attempts.incrementAndGet());
    StringBuilder text = new StringBuilder(320);
    text.append("https://audit.example.org/hadoop/1/op_").append(operation);
    text.append('/').append(id).append("/?op=op_").append(operation);
    text.append("&id=").append(id);
    text.append("&ps=").append(process);
    text.append("&ts=").append(time.now().toEpochMilli());
    Origin origin = attempt.origin();
    if (!origin.application().isEmpty()) {
      text.append("&ap=").append(named(origin.application()));
    }
    origin.query().ifPresent(query -> text.append("&qe=").append(query));
    if (origin.task().isPresent()) {
      task(text, origin.task().get());
    }
    return text.toString();
  }

  /** Appends the task in the form in which Hadoop writes the ids of task attempts. */
  private static void task(StringBuilder text, Origin.Task task) {
    text.append("&sa=").append(task.stageAttempt());
    text.append("&ta=attempt_0_").append(padded(task.stage(), 4));
    text.append("_m_").append(padded(task.partition(), 6)).append('_').append(task.id());
  }

  private static String padded(int number, int digits) {
    String text = Integer.toString(number);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  /** Returns the id without what a header or a URL could take for something else. */
  private String named(String application) {
    Named known = named;
    if (!known.application().equals(application)) {
      int end = Math.min(application.length(), APPLICATION_MAX);
      String shown = application.substring(0, end).replaceAll("[^A-Za-z0-9._-]", "_");
      known = new Named(application, shown);
      named = known;
    }
    return known.shown();
  }

  private record Named(String application, String shown) {}
}
