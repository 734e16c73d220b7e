/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.overview;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.whatif.CostTable;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.logs.Choice;
import io.penstock.analyze.logs.LogData;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The first lines of the output: they answer what ran, how much was throttled, and where the tail
 * is.
 */
public record Overview(List<Line> lines) {
  /** The number of answers that a tail needs: fewer say nothing about it. */
  private static final double MOST_PERCENT = 50;

  private static final long ENOUGH = 100;

  /** A cent. */
  private static final double WORTH_SAYING = 0.01;

  private static final int JOBS_SHOWN = 3;
  private static final String UNREADABLE = "cannot be read: ";

  /**
   * One line of the overview.
   *
   * @param label a word that names the subject
   * @param text the statement about the subject, without control characters
   */
  public record Line(String label, String text) {}

  public Overview {
    lines = List.copyOf(lines);
  }

  /**
   * Returns the overview of logs.
   *
   * @throws IOException when a query fails; see {@link QueryEngine#rows}
   */
  public static Overview of(LogData data) throws IOException {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("Logs", logs(data)));
    QueryEngine engine = data.engine();
    lines.addAll(
        FailureLines.of(
            Analyses.run("troubles", engine),
            Analyses.run("error-messages", engine),
            Analyses.run("failures", engine)));
    Table jobs = Analyses.run("jobs", engine);
    JobLines ofJob =
        new JobLines(
            Analyses.run("job-facts", engine),
            Analyses.run("stage-problems", engine),
            Analyses.run("lost-executors", engine),
            Analyses.run("told-requests", engine));
    int all = jobs.rows().size();
    for (int row = 0; row < Math.min(JOBS_SHOWN, all); row++) {
      lines.add(new Line("Job", job(jobs, row)));
      lines.addAll(ofJob.of(jobs.text(row, "app_id"), jobs.text(row, "spark_version")));
    }
    if (all > JOBS_SHOWN) {
      String more = Counted.of(all - JOBS_SHOWN, "more job", "more jobs");
      lines.add(new Line("", "and " + more + ": --tables jobs,job-facts"));
    }
    Table summary = Analyses.run("summary", engine);
    if (summary.isEmpty()) {
      lines.add(new Line("Requests", NoRequests.why(data)));
      return new Overview(lines);
    }
    Table rates = Analyses.run("request-rates", engine);
    lines.add(new Line("Window", window(summary)));
    lines.add(new Line("Requests", requests(summary, rates)));
    lines.add(
        new Line(
            "Throttled",
            throttled(summary, Analyses.run("throttled-operations", engine), rates)
                + most(Analyses.run("requesters", engine))
                + ofOthers(Analyses.run("errors", engine))));
    tail(Analyses.run("tail-latency", engine)).ifPresent(text -> lines.add(new Line("Tail", text)));
    retries(
            Analyses.run("attempts-per-request", engine),
            Analyses.run("longest-retries", engine),
            taskMillis(jobs, Analyses.run("job-facts", engine)))
        .ifPresent(text -> lines.add(new Line("Retries", text)));
    Table sizes = Analyses.run("sizes", engine);
    for (int row = 0; row < sizes.rows().size(); row++) {
      lines.add(size(sizes, row));
    }
    cost(CostTable.table(engine, Prices.usEast1())).ifPresent(lines::add);
    return new Overview(lines);
  }

  private static Optional<Line> cost(Table costs) {
    double all = 0;
    int most = -1;
    for (int row = 0; row < costs.rows().size(); row++) {
      if (CostTable.isOfRequests(costs, row)) {
        all += costs.number(row, "cost");
        most = most < 0 || costs.number(row, "cost") > costs.number(most, "cost") ? row : most;
      }
    }
    return all < WORTH_SAYING
        ? Optional.empty()
        : Optional.of(
            new Line(
                "Cost",
                "requests %s at list prices of us-east-1, %s of it for %s"
                    .formatted(
                        Values.of(Kind.DOLLARS, all),
                        Values.of(Kind.PERCENT, 100 * costs.number(most, "cost") / all),
                        costs.text(most, "what"))));
  }

  private static String logs(LogData data) throws IOException {
    Table files = Analyses.run("files", data.engine());
    Set<String> formats = new TreeSet<>();
    long bytes = 0;
    long records = 0;
    long rejected = 0;
    long unknown = 0;
    long damaged = 0;
    long empty = 0;
    String stranger = "";
    long unreadable = 0;
    String locked = "";
    long all = 0;
    for (int row = 0; row < files.rows().size(); row++) {
      long count = files.count(row, "files");
      all += count;
      bytes += files.count(row, "bytes");
      records += files.count(row, "records");
      rejected += files.count(row, "rejected");
      if (files.at(row, "format") != null) {
        formats.add(files.text(row, "format"));
        damaged += files.at(row, "trouble") == null ? 0 : count;
      } else if (files.text(row, "trouble").startsWith(UNREADABLE)) {
        unreadable += count;
        locked = files.text(row, "first_file") + ": " + reason(files.text(row, "trouble"));
      } else if (files.count(row, "bytes") > 0) {
        unknown += count;
        stranger = files.text(row, "first_file");
      } else {
        empty += count;
      }
    }
    StringBuilder text = new StringBuilder();
    text.append(Counted.of(all, "file", "files"));
    text.append(", ").append(Values.of(Kind.BYTES, bytes));
    text.append(formats.isEmpty() ? "" : ": " + String.join(", ", formats));
    text.append("; ").append(Counted.of(records, "record", "records"));
    add(text, rejected, "cannot be read", "cannot be read");
    Choice choice = data.choice();
    add(text, choice.repeated(), "is a duplicate", "are duplicates");
    add(text, unknown, "file has an unknown format", "files have unknown formats");
    text.append(unknown > 0 ? " (" + Values.visible(stranger) + (unknown > 1 ? ", …)" : ")") : "");
    add(text, unreadable, "file cannot be read", "files cannot be read");
    text.append(
        unreadable > 0 ? " (" + Values.visible(locked) + (unreadable > 1 ? ", …)" : ")") : "");
    add(text, empty, "file is empty", "files are empty");
    add(text, damaged, "file is damaged", "files are damaged");
    for (Choice.Left left : choice.left()) {
      text.append("; ")
          .append(Counted.of(left.requests(), "request", "requests"))
          .append(" of ")
          .append(Values.visible(left.source()))
          .append(" left out, because ")
          .append(left.insteadOf())
          .append(" has ")
          .append(Values.visible(left.bucket()));
    }
    return text.toString();
  }

  private static String reason(String trouble) {
    return trouble.substring(UNREADABLE.length());
  }

  private static void add(StringBuilder text, long count, String one, String many) {
    if (count > 0) {
      text.append(", ").append(Counted.of(count, one, many));
    }
  }

  private static String job(Table jobs, int row) {
    String elapsed =
        jobs.at(row, "elapsed_ms") == null || jobs.number(row, "elapsed_ms") < 0
            ? ""
            : ", " + Values.of(Kind.MILLIS, jobs.at(row, "elapsed_ms"));
    String version = jobs.text(row, "spark_version");
    return "%s (%s), Spark%s%s, %s%s"
        .formatted(
            Values.visible(jobs.text(row, "name")),
            Values.visible(jobs.text(row, "app_id")),
            version.isEmpty() ? "" : " " + Values.visible(version),
            elapsed,
            jobs.text(row, "state")
                + (jobs.count(row, "attempts") > 1
                    ? ", the last of " + Counted.of(jobs.count(row, "attempts"), "attempt")
                    : ""),
            joined(jobs.text(row, "joined_by")));
  }

  private static String joined(String by) {
    return switch (by) {
      case "name" -> "; requests below name it";
      case "time" -> "; it ran while the requests below were made";
      case "nothing" -> "; the requests below are of another job or time";
      default -> "";
    };
  }

  private static String window(Table summary) {
    return "%s to %s UTC, %s"
        .formatted(
            Values.of(Kind.TIME, summary.at(0, "started")),
            Values.of(Kind.TIME, summary.at(0, "ended")),
            Values.of(Kind.SECONDS, summary.at(0, "elapsed_s")));
  }

  private static String requests(Table summary, Table rates) {
    long requests = summary.count(0, "requests");
    long wanted = summary.count(0, "logical_requests");
    return String.format(
        Locale.ROOT,
        "%s at %s (%.2f each); mean %,.0f/s, peak %,d/s at %s",
        Counted.of(requests, "attempt"),
        Counted.of(wanted, "request"),
        wanted == 0 ? 1.0 : (double) requests / wanted,
        rates.number(0, "mean_rps"),
        rates.count(0, "peak_rps"),
        timeOfDay(rates.at(0, "peak_at")));
  }

  private static String timeOfDay(Object instant) {
    String time = Values.of(Kind.TIME, instant);
    return time.substring(time.indexOf(' ') + 1);
  }

  private static String throttled(Table summary, Table apis, Table rates) {
    if (summary.count(0, "throttled") == 0) {
      return "none";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d: %s of all",
            summary.count(0, "throttled"),
            Values.of(Kind.PERCENT, summary.at(0, "throttled_percent"))));
    if (summary.at(0, "throttled_writes_percent") != null) {
      text.append(", ").append(Values.of(Kind.PERCENT, summary.at(0, "throttled_writes_percent")));
      text.append(" of writes");
    }
    text.append(
        "; most %s (%s of them)"
            .formatted(
                Values.visible(apis.text(0, "api")),
                Values.of(Kind.PERCENT, apis.at(0, "throttled_percent"))));
    text.append(
        String.format(
            Locale.ROOT,
            "; in %s, in which %,.0f/s got through",
            Counted.of(rates.count(0, "seconds_throttled"), "second"),
            rates.number(0, "effective_capacity_rps")));
    return text.toString();
  }

  /** Returns what answers mean that are not of the rate of requests, or not of S3. */
  private static String ofOthers(Table errors) {
    long ofDrives = answers(errors, Set.of("SlowDownWrite", "SlowDownRead"));
    long ofKeys = answers(errors, Set.of("KMS.ThrottlingException"));
    StringBuilder text = new StringBuilder();
    if (ofDrives > 0) {
      text.append("; ").append(Values.count(ofDrives));
      text.append(" are SlowDownWrite or SlowDownRead, MinIO's answer where too few of its drives");
      text.append(" or nodes respond: look at these first");
    }
    if (ofKeys > 0) {
      text.append("; but KMS throttled ").append(Values.count(ofKeys));
      text.append(", for the keys of SSE-KMS: S3 Bucket Keys ask it far less often");
    }
    return text.toString();
  }

  private static long answers(Table errors, Set<String> codes) {
    long answers = 0;
    for (int row = 0; row < errors.rows().size(); row++) {
      answers += codes.contains(errors.text(row, "error")) ? errors.count(row, "requests") : 0;
    }
    return answers;
  }

  /** Returns who sent most requests of the seconds with throttling, where others sent some. */
  private static String most(Table who) {
    int most = 0;
    for (int row = 1; row < who.rows().size(); row++) {
      most =
          who.count(row, "in_throttled_seconds") > who.count(most, "in_throttled_seconds")
              ? row
              : most;
    }
    boolean isMost =
        who.rows().size() > 1 && who.number(most, "of_throttled_seconds") >= MOST_PERCENT;
    return isMost
        ? "; %s of the requests then by %s"
            .formatted(
                Values.of(Kind.PERCENT, who.at(most, "of_throttled_seconds")),
                Values.visible(who.text(most, "who")))
        : "";
  }

  /** Returns the tail of the call that took most time by its count and its p95. */
  private static Optional<String> tail(Table tail) {
    double most = 0;
    for (int row = 0; row < tail.rows().size(); row++) {
      most = Math.max(most, weight(tail, row));
    }
    for (int row = 0; row < tail.rows().size(); row++) {
      if (most > 0 && weight(tail, row) == most) {
        String slow =
            tail.at(row, "one_in_over_10s") == null
                ? "none over 10 s"
                : String.format(
                    Locale.ROOT, "1 in %,d over 10 s", tail.count(row, "one_in_over_10s"));
        return Optional.of(
            "%s: p50 %s, p95 %s, p99 %s; %s; slowest %s"
                .formatted(
                    Values.visible(tail.text(row, "api")),
                    Values.of(Kind.MILLIS, tail.at(row, "p50_ms")),
                    Values.of(Kind.MILLIS, tail.at(row, "p95_ms")),
                    Values.of(Kind.MILLIS, tail.at(row, "p99_ms")),
                    slow,
                    Values.of(Kind.MILLIS, tail.at(row, "max_ms"))));
      }
    }
    return Optional.empty();
  }

  /** Returns how long the tasks of the only job ran that the requests are of; 0 if not known. */
  private static double taskMillis(Table jobs, Table facts) {
    boolean isOnly = jobs.rows().size() == 1 && !jobs.text(0, "joined_by").equals("nothing");
    return isOnly && facts.rows().size() == 1 ? facts.number(0, "task_time_ms") : 0;
  }

  private static double weight(Table tail, int row) {
    boolean counts =
        tail.text(row, "size").equals("all sizes") && tail.count(row, "requests") >= ENOUGH;
    return counts ? tail.count(row, "requests") * Math.max(tail.number(row, "p95_ms"), 0.001) : 0;
  }

  private static Optional<String> retries(Table attempts, Table longest, double taskMillis) {
    long again = 0;
    double waited = 0;
    for (int row = 0; row < attempts.rows().size(); row++) {
      if (attempts.count(row, "attempts") > 1) {
        again += attempts.count(row, "chains");
        waited += attempts.number(row, "waited_s");
      }
    }
    if (again == 0) {
      return Optional.empty();
    }
    String requests = Counted.of(again, "request was", "requests were");
    if (waited == 0) {
      return Optional.of(requests + " tried again, with less waiting than these logs tell");
    }
    return Optional.of(
        "%s tried again, which cost %s of waiting in all%s; the longest %s"
            .formatted(
                requests,
                Values.of(Kind.SECONDS, waited),
                taskMillis > 0
                    ? ", as long as %s of the tasks' time"
                        .formatted(Values.of(Kind.PERCENT, 100_000 * waited / taskMillis))
                    : "",
                Values.of(Kind.MILLIS, longest.at(0, "waited_ms"))));
  }

  private static Line size(Table sizes, int row) {
    boolean isUnknown = sizes.at(row, "bytes") == null;
    String count = Counted.of(sizes.count(row, "files"), "", "").strip();
    String text =
        isUnknown
            ? count + " of sizes that these logs do not tell"
            : "%s of %s; p10 %s, median %s, p90 %s"
                .formatted(
                    count,
                    Values.of(Kind.BYTES, sizes.at(row, "bytes")),
                    Values.of(Kind.BYTES, sizes.at(row, "p10_bytes")),
                    Values.of(Kind.BYTES, sizes.at(row, "p50_bytes")),
                    Values.of(Kind.BYTES, sizes.at(row, "p90_bytes")));
    if (sizes.at(row, "requests_per_file") == null) {
      return new Line("GETs", text);
    }
    return new Line(
        "Files",
        "%s; %s writing requests a file"
            .formatted(text, Values.of(Kind.NUMBER, sizes.at(row, "requests_per_file"))));
  }
}
