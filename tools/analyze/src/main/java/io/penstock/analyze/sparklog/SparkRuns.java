/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Combines the runs of several event logs into the tables for queries. Several attempts of one
 * application are one row of {@code spark_apps}. It and the other tables have the newest attempt:
 * numbers of several, beside the time of one, would mislead. Batches are those of all attempts.
 */
public final class SparkRuns {
  private static final Comparator<SparkRun> BY_START =
      Comparator.comparing(
          (SparkRun run) -> run.started, Comparator.nullsFirst(Comparator.naturalOrder()));

  private final List<SparkRun> runs = new ArrayList<>();

  /**
   * Adds a run that was read to its end. A run without any event of Spark is left out.
   *
   * @return true if the run was added
   */
  public boolean add(SparkRun run) {
    if (run.isEmpty()) {
      return false;
    }
    run.finish();
    runs.add(run);
    return true;
  }

  public boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Returns all tables, including those without rows. */
  public List<Table> tables() {
    List<SparkTables.Set> settings = new ArrayList<>();
    List<SparkTables.Executor> executors = new ArrayList<>();
    List<SparkTables.Stage> stages = new ArrayList<>();
    List<SparkTables.OneBatch> batches = new ArrayList<>();
    List<SparkTables.Query> sql = new ArrayList<>();
    List<SparkTables.Told> requests = new ArrayList<>();
    for (SparkRun run : newest().values()) {
      run.settings.forEach((name, value) -> settings.add(new SparkTables.Set(run, name, value)));
      run.executors.forEach(
          (id, facts) -> executors.add(new SparkTables.Executor(run, id, facts, facts.sums)));
      new TreeMap<>(run.stages)
          .forEach((id, facts) -> stages.add(new SparkTables.Stage(run, id, facts, facts.sums)));
      run.sql.executions.forEach((id, facts) -> sql.add(new SparkTables.Query(run, id, facts)));
      run.requests.forEach(told -> requests.add(new SparkTables.Told(run, told)));
    }
    for (SparkRun run : runs) {
      run.batches.forEach(batch -> batches.add(new SparkTables.OneBatch(run, batch)));
    }
    return List.of(
        SparkTables.APPS.of(apps()),
        SparkTables.SETTINGS.of(settings),
        SparkTables.EXECUTORS.of(executors),
        SparkTables.STAGES.of(stages),
        SparkTables.BATCHES.of(batches),
        SparkTables.SQL.of(sql),
        SparkTables.REQUESTS.of(requests));
  }

  /** Returns the answers of S3 that the errors of tasks name. */
  public ErrorTexts errors() {
    ErrorTexts errors = new ErrorTexts();
    runs.forEach(run -> errors.add(run.errors));
    return errors;
  }

  private Map<String, SparkRun> newest() {
    Map<String, SparkRun> newest = new LinkedHashMap<>();
    for (SparkRun run : runs) {
      newest.merge(run.app(), run, (a, b) -> BY_START.compare(a, b) > 0 ? a : b);
    }
    return newest;
  }

  private List<SparkTables.App> apps() {
    Map<String, Long> attempts = new LinkedHashMap<>();
    runs.forEach(run -> attempts.merge(run.app(), 1L, Long::sum));
    List<SparkTables.App> apps = new ArrayList<>();
    newest().forEach((app, run) -> apps.add(new SparkTables.App(run, attempts.get(app))));
    return apps;
  }
}
