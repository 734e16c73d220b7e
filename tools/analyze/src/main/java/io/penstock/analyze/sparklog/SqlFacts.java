/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.Redaction;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Assigns the metrics of SQL operators to stages. Tasks report some metrics of an operator. Others,
 * such as the number of files, the driver reports: they count for the first stage that reported any
 * metric of the same operator.
 */
final class SqlFacts {
  /** The metrics that are summed. */
  private static final Set<String> WANTED =
      Set.of(
          "scan time",
          "number of files read",
          "size of files read",
          "number of written files",
          "number of dynamic part",
          "written output",
          "task commit time",
          "job commit time");

  private static final int MAX_METRICS = 1 << 20;
  private static final int MAX_SCHEMES = 20;

  /** The scheme of a path, as in an operator's description. */
  private static final Pattern SCHEME = Pattern.compile("\\b([a-z][a-z0-9+.-]{1,11}):/");

  /** An execution of a SQL query. */
  static final class Execution {
    String description;
    Instant started;
    Instant ended;
    long lastStage = -1;
  }

  /** An operator of a plan that has metrics to be summed. */
  private static final class Operator {
    final long execution;
    StageFacts stage;

    Operator(long execution) {
      this.execution = execution;
    }
  }

  private record Metric(Operator operator, String name) {}

  final Map<Long, Execution> executions = new TreeMap<>();

  /** Of the paths that operators name, such as s3a or hdfs. */
  private final Set<String> schemes = new TreeSet<>();

  private final Map<Long, String> descriptions = new HashMap<>();
  private final Map<Long, Metric> metrics = new HashMap<>();
  // The driver's values by metric, until the stage of the operator is known.
  private final Map<Long, Long> driverValues = new HashMap<>();

  void started(SparkEvent event) {
    Execution execution = execution(event);
    execution.description = Redaction.label(event.text("description"));
    execution.started = event.time("time");
    plan(event);
  }

  void ended(SparkEvent event) {
    execution(event).ended = event.time("time");
  }

  private Execution execution(SparkEvent event) {
    return SparkRun.bounded(executions, event.count("executionId"), Execution::new);
  }

  /** Registers the metrics of a plan. It may be a changed plan of an execution in progress. */
  void plan(SparkEvent event) {
    long execution = event.count("executionId");
    Deque<SparkEvent> open = new ArrayDeque<>();
    open.push(event.object("sparkPlanInfo"));
    while (!open.isEmpty()) {
      SparkEvent node = open.pop();
      node.objects("children").forEach(open::push);
      schemes(node.text("simpleString"));
      operator(node, execution);
    }
  }

  /** Returns the schemes of all paths that operators name, such as "hdfs, s3a"; null if none. */
  String schemes() {
    return schemes.isEmpty() ? null : String.join(", ", schemes);
  }

  private void schemes(String description) {
    Matcher matcher = SCHEME.matcher(description == null ? "" : description);
    while (schemes.size() < MAX_SCHEMES && matcher.find()) {
      schemes.add(matcher.group(1));
    }
  }

  private void operator(SparkEvent node, long execution) {
    boolean isWanted =
        node.objects("metrics").stream().anyMatch(metric -> isWanted(metric.text("name")));
    if (!isWanted) {
      return;
    }
    Operator operator = new Operator(execution);
    for (SparkEvent metric : node.objects("metrics")) {
      Metric known = metrics.get(metric.id("accumulatorId"));
      operator = known == null ? operator : known.operator;
    }
    for (SparkEvent metric : node.objects("metrics")) {
      if (metric.text("name") != null && metrics.size() < MAX_METRICS) {
        metrics.putIfAbsent(metric.id("accumulatorId"), new Metric(operator, metric.text("name")));
      }
    }
  }

  private static boolean isWanted(String name) {
    return name != null && WANTED.contains(name);
  }

  /** Registers a job, which may have been started for an execution. */
  void job(SparkEvent event) {
    SparkEvent properties = event.object("Properties");
    String id = properties.text("spark.sql.execution.id");
    Execution execution = id == null ? null : executions.get(SparkEvent.number(id));
    String given = Redaction.label(properties.text("spark.job.description"));
    String description = given == null && execution != null ? execution.description : given;
    for (Object stage : event.list("Stage IDs")) {
      if (execution != null) {
        execution.lastStage = Math.max(execution.lastStage, SparkEvent.number(stage));
      }
      if (description != null && descriptions.size() < SparkRun.MAX_ROWS) {
        descriptions.putIfAbsent(SparkEvent.number(stage), description);
      }
    }
  }

  /** Returns what the job or the query of a stage is called, as Spark's UI shows it; or null. */
  String description(StageId stage) {
    return descriptions.get(stage.stage());
  }

  /** Adds the amounts that a task of a stage contributes to the metrics. */
  void task(SparkEvent info, StageFacts stage) {
    for (SparkEvent update : info.objects("Accumulables")) {
      Metric metric = metrics.get(update.id("ID"));
      if (metric != null) {
        metric.operator.stage = metric.operator.stage == null ? stage : metric.operator.stage;
        stage.metric(metric.name, update.count("Update"));
      }
    }
  }

  void driver(SparkEvent event) {
    for (Object update : event.list("accumUpdates")) {
      if (update instanceof java.util.List<?> pair && pair.size() == 2) {
        long id = SparkEvent.number(pair.get(0));
        Metric metric = metrics.get(id);
        if (metric != null && isWanted(metric.name)) {
          driverValues.merge(id, SparkEvent.number(pair.get(1)), Long::sum);
        }
      }
    }
  }

  /** Assigns the driver's values to stages. Called once, at the end of the log. */
  void settle(Map<StageId, StageFacts> stages) {
    Map<Long, StageFacts> newest = new HashMap<>();
    new TreeMap<>(stages).forEach((id, stage) -> newest.put(id.stage(), stage));
    driverValues.forEach(
        (id, value) -> {
          Metric metric = metrics.get(id);
          StageFacts stage = metric.operator.stage;
          if (stage == null) {
            // No task reported a metric of the operator. Then the driver's values count for the
            // last stage of the execution, which most likely read or wrote the files.
            Execution execution = executions.get(metric.operator.execution);
            stage = execution == null ? null : newest.get(execution.lastStage);
          }
          if (stage != null) {
            stage.metric(metric.name, value);
          }
        });
    driverValues.clear();
  }
}
