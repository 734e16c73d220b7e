/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.errortext.Redaction;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.TextLines;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The facts of one event log, aggregated: a log of any size, with any number of tasks, becomes a
 * few rows for each stage and executor. Logs of all versions of Spark are accepted. Values that a
 * version does not write stay empty.
 */
public final class SparkRun {
  /** The most entries of each kind. Spark's own UI fails far below this number. */
  static final int MAX_ROWS = 200_000;

  private static final int MAX_SETTINGS = 20_000;
  private static final String RESUBMITTED = "Resubmitted";
  private static final String NOT_JSON = "it is not an event";

  final String file;
  String appId;
  String name;
  String version;
  Instant started;
  Instant ended;
  // The last time of an executor, a stage or a task: all that a log without an end tells.
  private Instant last;
  // How often Spark has counted the run time of a task.
  private long timesCounted = 1;
  long jobs;
  long failedJobs;
  String failure;
  final Map<Setting, String> settings = new LinkedHashMap<>();
  final Map<String, ExecutorFacts> executors = new LinkedHashMap<>();
  final Map<StageId, StageFacts> stages = new HashMap<>();
  final SqlFacts sql = new SqlFacts();
  final ErrorTexts errors = new ErrorTexts();
  final List<Batch> batches = new ArrayList<>();
  List<ToldRequests> requests = List.of();
  private final int maxLine;
  private final Map<String, Consumer<SparkEvent>> handlers =
      Map.ofEntries(
          Map.entry("SparkListenerLogStart", this::logStart),
          Map.entry("DBCEventLoggingListenerMetadata", this::logStart),
          Map.entry("SparkListenerApplicationStart", this::appStart),
          Map.entry("SparkListenerApplicationEnd", event -> ended = event.time("Timestamp")),
          Map.entry("SparkListenerEnvironmentUpdate", this::environment),
          Map.entry("SparkListenerExecutorAdded", this::executorAdded),
          Map.entry("SparkListenerExecutorRemoved", this::executorRemoved),
          Map.entry("SparkListenerStageSubmitted", this::stage),
          Map.entry("SparkListenerStageCompleted", this::stage),
          Map.entry("SparkListenerTaskEnd", this::task),
          Map.entry("SparkListenerStageExecutorMetrics", this::stagePeaks),
          Map.entry("SparkListenerJobStart", this::jobStart),
          Map.entry("SparkListenerJobEnd", this::jobEnd),
          Map.entry("SparkListenerSQLExecutionStart", sql::started),
          Map.entry("SparkListenerSQLAdaptiveExecutionUpdate", sql::plan),
          Map.entry("SparkListenerDriverAccumUpdates", sql::driver),
          Map.entry("SparkListenerSQLExecutionEnd", sql::ended),
          Map.entry("QueryProgressEvent", this::progress),
          Map.entry("PenstockRequests", this::told));
  private final Set<String> wanted = handlers.keySet();

  /** A name in one section of the settings in a log. */
  record Setting(String kind, String name) {}

  /**
   * Creates a run without any facts.
   *
   * @param file the name of the log, also used as the application when the log does not name one
   */
  public SparkRun(String file) {
    this(file, EventJson.MAX_LINE);
  }

  SparkRun(String file, int maxLine) {
    this.file = file;
    this.maxLine = maxLine;
  }

  /**
   * Reads a log, or the next part of a log in the order of {@link EventLogParts}.
   *
   * @param text decompressed; not closed by this method
   * @param statistics counts the lines, the lines that are not events, and a last line that is
   *     truncated
   */
  public void read(InputStream text, ParseStatistics statistics) throws IOException {
    TextLines lines = new TextLines(text, maxLine);
    while (lines.next()) {
      if (lines.length() == 0) {
        continue;
      }
      statistics.record();
      if (lines.isTooLong()) {
        reject("it is longer than 64 MiB", lines, statistics);
        continue;
      }
      Optional<SparkEvent> event;
      try {
        event = EventJson.parse(lines.line(), 0, lines.length(), wanted);
      } catch (IOException e) {
        // A log that was truncated or is still being written has no line break at its end. Any
        // other line that is not JSON is damaged.
        reject(
            lines.isEnded() ? NOT_JSON : "it is cut off at the end of the file", lines, statistics);
        continue;
      }
      event.ifPresent(known -> handlers.getOrDefault(known.sort(), other -> {}).accept(known));
    }
  }

  /** Returns true if no event contained any facts. */
  boolean isEmpty() {
    return appId == null
        && name == null
        && version == null
        && started == null
        && stages.isEmpty()
        && executors.isEmpty()
        && settings.isEmpty()
        && batches.isEmpty()
        && sql.executions.isEmpty();
  }

  /** Completes the facts. Called once, after all parts were read. */
  void finish() {
    sql.settle(stages);
  }

  private static void reject(String reason, TextLines lines, ParseStatistics statistics) {
    statistics.reject(reason, lines.position(), lines.line(), 0, lines.length());
  }

  private void logStart(SparkEvent event) {
    String told = event.text("Spark Version");
    version = told == null ? version : Redaction.label(told);
  }

  private void appStart(SparkEvent event) {
    appId = Redaction.label(event.text("App ID"));
    name = Redaction.label(event.text("App Name"));
    started = event.time("Timestamp");
  }

  /** Returns the application id in the log; the name of the file when the log has none. */
  String app() {
    return appId == null ? file : appId;
  }

  private void environment(SparkEvent event) {
    settings("spark", event.object("Spark Properties"));
    settings("hadoop", event.object("Hadoop Properties"));
    settings("jvm", event.object("JVM Information"));
    settings("system", event.object("System Properties"));
    // Since 4.1, once for each of its cores.
    boolean isEach = version != null && version.matches("(4[.][1-9]|[5-9]|\\d\\d).*");
    timesCounted = isEach ? coresOfTask() : 1;
  }

  private void settings(String kind, SparkEvent section) {
    for (String setting : section.fields().keySet()) {
      String value = section.text(setting);
      if (value != null && settings.size() < MAX_SETTINGS) {
        settings.put(
            new Setting(kind, Redaction.label(setting)), Redaction.setting(setting, value));
      }
    }
  }

  private void executorAdded(SparkEvent event) {
    executor(event).added(event);
    seen(event.time("Timestamp"));
  }

  private void executorRemoved(SparkEvent event) {
    executor(event).removed(event);
    seen(event.time("Timestamp"));
  }

  private void seen(Instant time) {
    if (time != null && (last == null || time.isAfter(last))) {
      last = time;
    }
  }

  /**
   * Returns until when an executor lived, as far as the log tells: its removal, or the end of the
   * run, or the last event of a log without an end.
   */
  Instant until(ExecutorFacts executor) {
    if (executor.removed != null) {
      return executor.removed;
    }
    return ended == null ? last : ended;
  }

  /** Returns how many cores a task takes: 1, if nothing else is set. */
  long coresOfTask() {
    String text = settings.get(new Setting("spark", "spark.task.cpus"));
    return text == null ? 1 : Math.max(1, SparkEvent.number(text));
  }

  private ExecutorFacts executor(SparkEvent event) {
    String id = event.text("Executor ID");
    return bounded(executors, id == null ? "?" : Redaction.label(id), ExecutorFacts::new);
  }

  private void stage(SparkEvent event) {
    SparkEvent info = event.object("Stage Info");
    seen(info.time("Submission Time"));
    seen(info.time("Completion Time"));
    if (info.has("Stage ID")) {
      stage(info.id("Stage ID"), info.count("Stage Attempt ID")).describe(info);
    }
  }

  private StageFacts stage(long id, long attempt) {
    return bounded(stages, new StageId(id, attempt), StageFacts::new);
  }

  private void task(SparkEvent event) {
    if (RESUBMITTED.equals(event.object("Task End Reason").text("Reason"))) {
      return; // A task that had ended is told once more, since its output was lost.
    }
    SparkEvent info = event.object("Task Info");
    SparkEvent metrics = event.object("Task Metrics");
    ExecutorFacts executor = executor(info);
    executor.task(info, metrics, timesCounted);
    executor.memory(event.object("Task Executor Metrics"));
    seen(info.time("Finish Time"));
    error(info, event.object("Task End Reason"));
    if (event.has("Stage ID")) {
      StageFacts stage = stage(event.id("Stage ID"), event.count("Stage Attempt ID"));
      stage.task(info, metrics, event.object("Task End Reason"), timesCounted);
      sql.task(info, stage);
    }
  }

  /** Looks for answers of S3 in the stack trace with which a task failed. */
  private void error(SparkEvent info, SparkEvent reason) {
    String trace = reason.text("Full Stack Trace");
    String text = trace == null ? reason.text("Description") : trace;
    if (text != null) {
      String exec = info.text("Executor ID");
      errors.read(
          app(),
          exec == null ? "" : Redaction.label(exec),
          info.count("Finish Time") * 1000,
          text,
          app() + " " + info.id("Task ID"));
    }
  }

  private void jobStart(SparkEvent event) {
    jobs++;
    sql.job(event);
  }

  private void jobEnd(SparkEvent event) {
    SparkEvent result = event.object("Job Result");
    if ("JobFailed".equals(result.text("Result"))) {
      failedJobs++;
      String message = FailureText.of(result.object("Exception").text("Message"));
      failure = failure == null ? message : failure;
    }
  }

  private void stagePeaks(SparkEvent event) {
    executor(event).memory(event.object("Executor Metrics"));
  }

  private void told(SparkEvent event) {
    if (event.object("report").has("total")) {
      requests = ToldRequests.of(event);
    }
  }

  private void progress(SparkEvent event) {
    SparkEvent progress = event.object("progress");
    if (Batch.isRun(progress) && batches.size() < MAX_ROWS) {
      batches.add(Batch.of(progress));
    }
  }

  /**
   * Returns the value of a key, and makes one if there is none. If the map is full, the new value
   * is returned but not kept.
   */
  static <K, V> V bounded(Map<K, V> map, K key, Supplier<V> make) {
    V known = map.get(key);
    if (known == null) {
      known = make.get();
      if (map.size() < MAX_ROWS) {
        map.put(key, known);
      }
    }
    return known;
  }
}
