/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Cancellation;
import io.penstock.core.caller.Origin;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.SparkKeys;
import io.penstock.core.flush.FlushedWriter;
import io.penstock.core.stack.Engine;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.spark.account.DriverAccounts;
import io.penstock.spark.account.ExecutorAccounts;
import io.penstock.spark.account.LastWords;
import io.penstock.spark.heartbeat.DriverHeartbeat;
import io.penstock.spark.heartbeat.DriverSection;
import io.penstock.spark.heartbeat.ExecutorHeartbeat;
import io.penstock.spark.heartbeat.Section;
import io.penstock.spark.jobs.DriverJobs;
import io.penstock.spark.jobs.ExecutorJobs;
import io.penstock.spark.logs.ProcessLogs;
import io.penstock.spark.metrics.DeclaredMetric;
import io.penstock.spark.metrics.DriverMetrics;
import io.penstock.spark.metrics.EngineGauges;
import io.penstock.spark.metrics.ExecutorMetrics;
import io.penstock.spark.origin.Origins;
import io.penstock.spark.origin.RunningQueries;
import io.penstock.spark.rate.DriverRates;
import io.penstock.spark.rate.ExecutorRates;
import io.penstock.spark.ui.LiveReport;
import io.penstock.spark.wiring.Wiring;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Spark plugin. One line switches a cluster to Penstock: {@code
 * spark.plugins=io.penstock.spark.PenstockPlugin}. The plugin registers the file system for {@code
 * s3} and {@code s3a}, the committers and flat listing. It refuses to start if a setting would
 * bring renames back. On every node it adds the results of its requests to Spark's metrics, shares
 * the request rates among the executors, and limits the time that a task waits for retries.
 */
public final class PenstockPlugin implements SparkPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(PenstockPlugin.class);

  /** The driver sends this name to executors when the user has switched the plugin off. */
  private static final String OFF = "penstock.off";

  private final Engine engine = Engine.process();

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      private final DriverMetrics metrics = new DriverMetrics(engine.metrics());
      private Optional<DriverRates> rates = Optional.empty();
      private Optional<ProcessLogs> logs = Optional.empty();
      private DriverAccounts accounts;
      private LiveReport report;
      private DriverHeartbeat heartbeat;

      @Override
      public Map<String, String> init(SparkContext spark, PluginContext context) {
        ProcessLogs.endPresent();
        Wiring wiring = new Wiring(spark, PenstockCommitProtocol.class);
        if (wiring.isOff()) {
          return Map.of(OFF, "true");
        }
        Settings settings = wiring.apply();
        engine.applicationSettings(Optional.of(settings));
        logs = keepLogs(settings, spark.hadoopConfiguration(), spark.conf(), DriverAccounts.DRIVER);
        accounts = new DriverAccounts(engine.metrics().accounts());
        spark.addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd ended) {
                if (ended.reason() instanceof ExecutorLostFailure) {
                  engine.jobs().taskLost();
                }
              }

              @Override
              public void onExecutorAdded(SparkListenerExecutorAdded added) {
                accounts.executorAdded(added.executorId());
              }

              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
                metrics.executorRemoved(removed.executorId());
                accounts.executorRemoved(removed.executorId());
              }
            });
        rates = DriverRates.start(engine, spark, context, settings);
        List<DriverSection> sections = new ArrayList<>();
        rates.map(DriverRates::section).ifPresent(sections::add);
        sections.add(new DriverJobs(engine.jobs()));
        sections.add(metrics);
        sections.add(accounts);
        sections.add(new LastWords(accounts));
        heartbeat = new DriverHeartbeat(sections);
        report =
            LiveReport.start(
                spark,
                accounts,
                () -> metrics.total().hedges(),
                () -> rates.map(DriverRates::allowed).orElse(Map.of()),
                engine.time());
        RunningQueries queries = new RunningQueries();
        spark.addSparkListener(queries);
        engine.callers().unbound(() -> Origins.ofDriver(spark, queries));
        return rates.map(DriverRates::forExecutors).orElse(Map.of());
      }

      @Override
      public Object receive(Object message) throws IOException {
        return heartbeat == null ? null : heartbeat.receive(message);
      }

      @Override
      public void registerMetrics(String appId, PluginContext context) {
        if (heartbeat != null) {
          EngineGauges.register(context.metricRegistry(), "", engine.metrics()::snapshot);
          EngineGauges.register(
              context.metricRegistry(), DeclaredMetric.APPLICATION, metrics::total);
        }
      }

      @Override
      public void shutdown() {
        engine.applicationSettings(Optional.empty());
        engine.callers().unbound(() -> Origin.NONE);
        try {
          if (report != null) {
            report.close();
          }
        } finally {
          rates.ifPresent(DriverRates::close);
          metrics.summary().ifPresent(LOG::info);
          logs.ifPresent(ProcessLogs::flush);
        }
      }
    };
  }

  private Optional<ProcessLogs> keepLogs(
      Settings settings, Configuration hadoop, SparkConf conf, String process) {
    return settings
        .get(SparkKeys.LOGS)
        .flatMap(
            directory ->
                ProcessLogs.start(
                    directory,
                    // The driver's conf has it after the plugins have started.
                    () ->
                        Optional.ofNullable(conf.get("spark.app.id", null))
                            .map(id -> id + "/" + process),
                    hadoop,
                    settings.get(FlushedWriter.INTERVAL),
                    engine.time()));
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      private Optional<ExecutorHeartbeat.Running> heartbeat = Optional.empty();
      private Optional<ProcessLogs> logs = Optional.empty();
      private PluginContext context;

      @Override
      public void init(PluginContext context, Map<String, String> extraConf) {
        this.context = context;
        if (extraConf.containsKey(OFF)) {
          return;
        }
        // In local mode this process is the driver's, which shows the same counts already.
        if (!isDriver(context)) {
          Configuration hadoop = SparkHadoopUtil.get().newConfiguration(context.conf());
          Settings settings = HadoopSettings.of(hadoop);
          engine.applicationSettings(Optional.of(settings));
          logs = keepLogs(settings, hadoop, context.conf(), "executor-" + context.executorID());
          engine.callers().unbound(() -> Origins.ofExecutor(context.conf()));
          EngineGauges.register(context.metricRegistry(), "", engine.metrics()::snapshot);
          heartbeat = ExecutorHeartbeat.start(context, engine.time(), sections(context, extraConf));
        }
        trustEndpoints(context);
      }

      private List<Section> sections(PluginContext context, Map<String, String> fromDriver) {
        List<Section> sections = new ArrayList<>();
        ExecutorRates.join(engine, context, fromDriver).ifPresent(sections::add);
        sections.add(new ExecutorJobs(engine.jobs(), ExecutorJobs.remover()));
        sections.add(new ExecutorMetrics(engine.metrics()));
        sections.add(new ExecutorAccounts(engine.metrics().accounts()));
        return sections;
      }

      /**
       * Trusts all endpoints on executors, because the driver has asked the store before it sends
       * tasks. An endpoint that is unreachable later is expected to come back.
       */
      private void trustEndpoints(PluginContext context) {
        if (!isDriver(context)) {
          engine.endpoints().trust();
        }
      }

      private boolean isDriver(PluginContext context) {
        return context.executorID().equals("driver");
      }

      @Override
      public void shutdown() {
        heartbeat.ifPresent(ExecutorHeartbeat.Running::close);
        logs.ifPresent(ProcessLogs::flush);
      }

      /** Spark calls this method and the next two in the task's own thread. */
      @Override
      public void onTaskStart() {
        TaskContext task = TaskContext.get();
        if (task == null) {
          Caller.beginTask(Origin.NONE);
          Cancellation.end(); // left by a task whose end was not reported
        } else {
          Caller.beginTask(Origins.of(task, context.conf()));
          new Cancellation("the task was killed", task::isInterrupted).begin();
        }
      }

      @Override
      public void onTaskSucceeded() {
        onTaskEnd();
      }

      @Override
      public void onTaskFailed(TaskFailedReason reason) {
        onTaskEnd();
      }

      private void onTaskEnd() {
        Caller.endTask();
        Cancellation.end();
      }
    };
  }
}
