/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.eventlog;

import io.penstock.loggen.draw.Draw;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.PublishedRun;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.JsonMembers;
import java.util.Map;
import java.util.TreeMap;

/** Writes the events of the application, of its only query and of its only job. */
final class JobEvents {
  private static final String SQL = "org.apache.spark.sql.execution.ui.SparkListener";
  private static final String CALL_SITE = "parquet at NativeMethodAccessorImpl.java:0";

  /** The SQL metrics of the scan and of the write, with the ids of their accumulators. */
  private static final String[][] SCAN = {
    {"1", "number of files read", "sum"},
    {"2", "size of files read", "size"},
    {"3", "metadata time", "timing"},
    {"4", "scan time", "timing"},
    {"5", "number of output rows", "sum"},
  };

  private static final String[][] WRITE = {
    {"6", "number of written files", "sum"},
    {"7", "written output", "size"},
    {"8", "number of output rows", "sum"},
    {"9", "task commit time", "timing"},
    {"10", "job commit time", "timing"},
  };

  private JobEvents() {}

  static String executorId(int node) {
    return Integer.toString(node + 1);
  }

  static String environment(Plan plan) {
    JsonMembers json = EventLog.event("EnvironmentUpdate");
    json.object("JVM Information").put("Java Home", "/opt/java/openjdk");
    json.put("Java Version", "17.0.15 (Eclipse Adoptium)");
    json.put("Scala Version", "version 2.13.17").close('}');
    properties(json, "Spark Properties", sparkProperties(plan));
    properties(json, "Hadoop Properties", hadoopProperties(plan));
    properties(json, "System Properties", Map.of("user.name", JobIdentity.USER));
    json.object("Metrics Properties").close('}').object("Classpath Entries").close('}');
    return json.close('}').toString();
  }

  private static void properties(JsonMembers json, String name, Map<String, String> properties) {
    json.object(name);
    new TreeMap<>(properties).forEach(json::put);
    json.close('}');
  }

  private static Map<String, String> sparkProperties(Plan plan) {
    Map<String, String> found = new TreeMap<>();
    found.put("spark.app.id", JobIdentity.applicationId());
    found.put("spark.app.name", JobIdentity.APP_NAME);
    found.put("spark.eventLog.enabled", "true");
    found.put("spark.eventLog.compress", "false");
    found.put("spark.executor.cores", Integer.toString(TaskPlacement.CORES));
    found.put("spark.executor.instances", Integer.toString(TaskPlacement.NODES));
    found.put("spark.executor.memory", "18g");
    found.put("spark.master", "spark://" + TaskPlacement.DRIVER_ADDRESS + ":7077");
    if (plan.isTail()) {
      return found;
    }
    // The record counts with which the rows of the benchmark were run.
    String[] rows = {"", "1000000", "500000", "250000", "100000"};
    String records = rows[(plan.options().run() - 1) / 2];
    if (!records.isEmpty()) {
      found.put("spark.sql.files.maxPartitionBytes", "1GB");
      found.put("spark.sql.files.maxRecordsPerFile", records);
    }
    return found;
  }

  private static Map<String, String> hadoopProperties(Plan plan) {
    boolean hasLargeParts = !plan.isTail() && plan.options().run() <= 2;
    Map<String, String> found = new TreeMap<>();
    found.put("fs.s3a.attempts.maximum", "5");
    found.put("fs.s3a.audit.enabled", Boolean.toString(plan.options().hasAudit()));
    found.put("fs.s3a.connection.maximum", "500");
    found.put(
        "fs.s3a.connection.part.upload.timeout",
        plan.isTail() ? Draw.CLIENT_TIMEOUT_MILLIS / 1_000 + "s" : "15m");
    found.put("fs.s3a.connection.request.timeout", "60s");
    found.put("fs.s3a.endpoint.region", JobIdentity.REGION);
    found.put("fs.s3a.multipart.size", plan.isTail() ? "8M" : hasLargeParts ? "128M" : "64M");
    found.put("fs.s3a.retry.limit", "7");
    found.put("fs.s3a.retry.throttle.limit", "20");
    found.put("fs.s3a.threads.max", "96");
    found.put("fs.s3a.user.agent.prefix", JobIdentity.applicationId());
    found.put("fs.s3a.vectored.read.max.merged.size", "2M");
    found.put("fs.s3a.vectored.read.min.seek.size", "128K");
    found.put("parquet.block.size", "134217728");
    if (!plan.isTail() && PublishedRun.of(plan.options().run()).isAimd()) {
      found.put("fs.s3.aimd.enabled", "true");
    }
    return found;
  }

  static String application(long millis) {
    return EventLog.event("ApplicationStart")
        .put("App Name", JobIdentity.APP_NAME)
        .put("App ID", JobIdentity.applicationId())
        .put("Timestamp", millis)
        .put("User", JobIdentity.USER)
        .close('}')
        .toString();
  }

  static String executor(int node, long millis) {
    JsonMembers json = EventLog.event("ExecutorAdded").put("Timestamp", millis);
    json.put("Executor ID", executorId(node)).object("Executor Info");
    json.put("Host", TaskPlacement.address(node)).put("Total Cores", TaskPlacement.CORES);
    json.object("Log Urls").close('}').object("Attributes").close('}');
    json.object("Resources").close('}').put("Resource Profile Id", 0);
    json.put("Registration Time", millis).put("Request Time", millis - 3_000);
    return json.close('}').close('}').toString();
  }

  static String queryStart(long millis) {
    JsonMembers json = new JsonMembers().open('{').put("Event", SQL + "SQLExecutionStart");
    json.put("executionId", 0).put("rootExecutionId", 0).put("description", CALL_SITE);
    json.put("details", "").put("physicalPlanDescription", "").object("sparkPlanInfo");
    String write = "Execute InsertIntoHadoopFsRelationCommand";
    json.put("nodeName", write).put("simpleString", write);
    json.array("children").open('{').put("nodeName", "Scan parquet ");
    json.put(
        "simpleString", "FileScan parquet s3a://" + JobIdentity.BUCKET + "/" + JobIdentity.INPUT);
    json.array("children").close(']').object("metadata");
    json.put(
        "Location",
        "InMemoryFileIndex[s3a://" + JobIdentity.BUCKET + "/" + JobIdentity.INPUT + "]");
    json.put("Format", "Parquet").close('}');
    metrics(json, SCAN).close('}').close(']').object("metadata").close('}');
    metrics(json, WRITE).close('}');
    json.put("time", millis).object("modifiedConfigs").close('}').array("jobTags").close(']');
    return json.close('}').toString();
  }

  private static JsonMembers metrics(JsonMembers json, String[][] metrics) {
    json.array("metrics");
    for (String[] metric : metrics) {
      json.open('{').put("name", metric[1]).put("accumulatorId", Long.parseLong(metric[0]));
      json.put("metricType", metric[2]).close('}');
    }
    return json.close(']');
  }

  static String filesRead() {
    return driverMetrics(new long[][] {{1, 1_486}, {2, TaskEvents.inputBytes()}, {3, 212}});
  }

  static String filesWritten(Plan plan, WrittenCounts tally) {
    long bytes = 0;
    for (long ofTask : tally.taskBytes) {
      bytes += ofTask;
    }
    return driverMetrics(new long[][] {{6, plan.files()}, {7, bytes}, {9, 1}, {10, 38}});
  }

  private static String driverMetrics(long[][] updates) {
    JsonMembers json = new JsonMembers().open('{').put("Event", SQL + "DriverAccumUpdates");
    json.put("executionId", 0).array("accumUpdates");
    for (long[] update : updates) {
      json.open('[').value(update[0]).value(update[1]).close(']');
    }
    return json.close(']').close('}').toString();
  }

  static String queryEnd(long millis) {
    JsonMembers json = new JsonMembers().open('{').put("Event", SQL + "SQLExecutionEnd");
    return json.put("executionId", 0).put("time", millis).put("errorMessage", "").close('}') + "";
  }

  static String jobStart(int tasks, long millis) {
    JsonMembers json = EventLog.event("JobStart").put("Job ID", 0).put("Submission Time", millis);
    json.array("Stage Infos");
    stageInfo(json, tasks, millis, 0);
    json.close(']').array("Stage IDs").value(0).close(']').object("Properties");
    json.put("spark.sql.execution.id", "0").put("spark.job.description", CALL_SITE);
    return json.close('}').close('}').toString();
  }

  static String stage(boolean isCompleted, int tasks, long submitted, long completed) {
    JsonMembers json = EventLog.event(isCompleted ? "StageCompleted" : "StageSubmitted");
    json.name("Stage Info");
    stageInfo(json, tasks, submitted, completed);
    if (!isCompleted) {
      json.object("Properties").put("spark.sql.execution.id", "0").close('}');
    }
    return json.close('}').toString();
  }

  private static void stageInfo(JsonMembers json, int tasks, long submitted, long completed) {
    json.open('{').put("Stage ID", 0).put("Stage Attempt ID", 0).put("Stage Name", CALL_SITE);
    json.put("Number of Tasks", tasks).array("RDD Info").close(']').array("Parent IDs").close(']');
    json.put("Details", "").put("Submission Time", submitted);
    if (completed > 0) {
      json.put("Completion Time", completed);
    }
    json.array("Accumulables").close(']').put("Resource Profile Id", 0);
    json.put("Shuffle Push Enabled", false).put("Shuffle Push Mergers Count", 0).close('}');
  }

  static String jobEnd(long millis) {
    JsonMembers json = EventLog.event("JobEnd").put("Job ID", 0).put("Completion Time", millis);
    return json.object("Job Result").put("Result", "JobSucceeded").close('}').close('}') + "";
  }
}
