/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.util.List;

/** Lines of an event log, as Spark 4 writes them but for fields that nobody reads. */
final class Events {
  private static final String SQL = "org.apache.spark.sql.execution.ui.";

  private Events() {}

  static String of(String sort, String fields) {
    return "{\"Event\":\"" + sort + "\"" + (fields.isEmpty() ? "" : ",") + fields + "}";
  }

  static String task(int stage, String executor, int millis, String info, String metrics) {
    return of(
        "SparkListenerTaskEnd",
        "\"Stage ID\":"
            + stage
            + ",\"Stage Attempt ID\":0,\"Task Type\":\"ResultTask\","
            + "\"Task End Reason\":{\"Reason\":\"Success\"},\"Task Info\":{\"Task ID\":1,"
            + "\"Launch Time\":1000000,\"Executor ID\":\""
            + executor
            + "\",\"Host\":\"10.0.0.9\","
            + "\"Finish Time\":"
            + (1_000_000 + millis)
            + info
            + "},\"Task Executor Metrics\":"
            + "{\"JVMHeapMemory\":500,\"JVMOffHeapMemory\":60,\"DirectPoolMemory\":7,"
            + "\"ProcessTreeJVMRSSMemory\":900,\"ProcessTreePythonRSSMemory\":90},"
            + "\"Task Metrics\":{\"Executor Run Time\":"
            + millis
            + ",\"Executor CPU Time\":2500000,"
            + "\"JVM GC Time\":3"
            + metrics
            + "}");
  }

  static String input(long bytes, long records) {
    return ",\"Input Metrics\":{\"Bytes Read\":" + bytes + ",\"Records Read\":" + records + "}";
  }

  static String stage(String sort, int id, String times) {
    return of(
        sort,
        "\"Stage Info\":{\"Stage ID\":"
            + id
            + ",\"Stage Attempt ID\":0,\"Stage Name\":\"save at"
            + " J.java:1\",\"Number of Tasks\":2,\"RDD Info\":[{\"Name\":\"x\"}]"
            + times
            + "}");
  }

  static String plan(String sort, int execution, String metrics) {
    return of(
        SQL + sort,
        "\"executionId\":"
            + execution
            + ",\"description\":\"save at J.java:1\",\"details\":\"long\","
            + "\"sparkPlanInfo\":{\"nodeName\":\"AdaptiveSparkPlan\",\"children\":[{\"nodeName\":"
            + "\"Scan parquet\",\"children\":[],\"metadata\":{},\"metrics\":["
            + metrics
            + "]}],"
            + "\"metrics\":[]},\"time\":1772360431000");
  }

  static String metric(int id, String name) {
    return "{\"name\":\"" + name + "\",\"accumulatorId\":" + id + ",\"metricType\":\"sum\"}";
  }

  static String driver(int execution, String updates) {
    return of(
        SQL + "SparkListenerDriverAccumUpdates",
        "\"executionId\":" + execution + ",\"accumUpdates\":[" + updates + "]");
  }

  static String update(int id, String value) {
    return ",\"Accumulables\":[{\"ID\":"
        + id
        + ",\"Name\":\"m\",\"Update\":"
        + value
        + ",\"Value\":\"99\",\"Internal\":true}]";
  }

  static String progress(String durations, String more) {
    return of(
        "org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent",
        "\"progress\":{\"id\":\"q\",\"runId\":\"r\",\"name\":\"rates\",\"timestamp\":"
            + "\"2026-03-01T10:20:31.250Z\",\"batchId\":7,\"durationMs\":{"
            + durations
            + "},"
            + "\"sources\":[{\"numInputRows\":20,\"metrics\":{}},{\"numInputRows\":5}]"
            + more
            + "}");
  }

  /** A small run: one stage that scans two files and writes three. */
  static List<String> run() {
    return List.of(
        of("SparkListenerLogStart", "\"Spark Version\":\"4.1.1\""),
        of(
            "SparkListenerExecutorAdded",
            "\"Timestamp\":1772360430500,\"Executor ID\":\"1\",\"Executor Info\":{\"Host\":"
                + "\"10.0.0.8\",\"Total Cores\":4,\"Log Urls\":{}}"),
        of(
            "SparkListenerEnvironmentUpdate",
            "\"JVM Information\":{\"Java Version\":\"17\"},\"Spark"
                + " Properties\":{\"spark.executor.cores\":\"4\"},\"Hadoop"
                + " Properties\":{\"fs.s3a.threads.max\":\"96\"},\"System"
                + " Properties\":{\"user.timezone\":\"UTC\"},\"Classpath Entries\":{}"),
        of(
            "SparkListenerApplicationStart",
            "\"App Name\":\"nightly\",\"App ID\":\"application_1_2\",\"Timestamp\":1772360430000,"
                + "\"User\":\"etl\""),
        plan(
            "SparkListenerSQLExecutionStart",
            3,
            metric(10, "number of files read") + "," + metric(11, "number of output rows")),
        of(
            "SparkListenerJobStart",
            "\"Job ID\":0,\"Stage IDs\":[5],\"Properties\":{\"spark.sql.execution.id\":\"3\"}"),
        stage("SparkListenerStageSubmitted", 5, ",\"Submission Time\":1772360432000"),
        plan(
            "SparkListenerSQLAdaptiveExecutionUpdate",
            3,
            metric(10, "number of files read")
                + ","
                + metric(12, "scan time")
                + ","
                + metric(13, "size of files read")
                + ","
                + metric(14, "number of written files")),
        task(5, "1", 40, update(12, "\"30\""), input(100, 10)),
        task(5, "1", 100, update(12, "12"), input(50, 0)),
        task(5, "2", 60, ",\"Failed\":true,\"Speculative\":true", ""),
        driver(3, "[10,2],[13,4096],[14,3],[999,1]"),
        stage(
            "SparkListenerStageCompleted",
            5,
            ",\"Submission Time\":1772360432000,\"Completion Time\":1772360433500"),
        of(
            SQL + "SparkListenerSQLExecutionEnd",
            "\"executionId\":3,\"time\":1772360434000,\"errorMessage\":\"\""),
        of(
            "SparkListenerExecutorRemoved",
            "\"Timestamp\":1772360435000,\"Executor ID\":\"1\",\"Removed Reason\":\"idle\""),
        of("SparkListenerApplicationEnd", "\"Timestamp\":1772360436000"));
  }
}
