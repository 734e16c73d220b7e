/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.doctor;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.Doctor;
import io.penstock.doctor.DoctorReport.Effective;
import io.penstock.doctor.machine.CheckpointMountCheck;
import io.penstock.doctor.machine.CpuLimitCheck;
import io.penstock.doctor.machine.FileDescriptorCheck;
import io.penstock.doctor.machine.JavaCheck;
import io.penstock.doctor.machine.Machine;
import io.penstock.doctor.machine.MemoryLimitCheck;
import io.penstock.doctor.machine.ProxyCheck;
import io.penstock.doctor.machine.SearchListCheck;
import io.penstock.doctor.spark.CheckpointManagerCheck;
import io.penstock.doctor.spark.CommitterCheck;
import io.penstock.doctor.spark.CorrectedConf;
import io.penstock.doctor.spark.DriverKeysCheck;
import io.penstock.doctor.spark.EffectiveSettings;
import io.penstock.doctor.spark.Given;
import io.penstock.doctor.spark.Job;
import io.penstock.doctor.spark.NamesCheck;
import io.penstock.doctor.spark.NativeEngineCheck;
import io.penstock.doctor.spark.PenstockCheck;
import io.penstock.doctor.spark.PenstockSettingsCheck;
import io.penstock.doctor.spark.PenstockView;
import io.penstock.doctor.spark.PoolCheck;
import io.penstock.doctor.spark.RetryCheck;
import io.penstock.doctor.spark.ScanCheck;
import io.penstock.doctor.spark.SchemeCheck;
import io.penstock.doctor.spark.SparkHome;
import io.penstock.doctor.spark.SparkHomeCheck;
import io.penstock.doctor.spark.TimeoutCheck;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Makes the checks that need no bucket: of this machine, of an installed Spark, and of its
 * settings.
 */
final class LocalExamination {
  private static final String DEFAULTS = "/conf/spark-defaults.conf";

  private final ClassLoader loader = LocalExamination.class.getClassLoader();
  private final Machine machine;
  private final Optional<String> sparkHome;
  private final Job job;

  /**
   * @param sparkHome directory named on the command line
   */
  LocalExamination(Machine machine, Given given, Optional<String> sparkHome) {
    this.machine = machine;
    this.sparkHome = sparkHome.or(() -> machine.environment("SPARK_HOME"));
    this.job = new Job(given, this.sparkHome.flatMap(home -> SparkHome.at(home, machine)));
  }

  /**
   * @param host of the bucket
   * @param checkpoint a directory for checkpoints
   */
  void run(Doctor doctor, Optional<String> host, Optional<String> checkpoint)
      throws InterruptedException {
    doctor.run(
        "machine",
        List.of(
            new JavaCheck(machine),
            new CpuLimitCheck(machine),
            new MemoryLimitCheck(machine),
            new FileDescriptorCheck(machine),
            new ProxyCheck(machine, host),
            new SearchListCheck(machine, host)));
    doctor.run(
        "Spark",
        List.of(
            new SparkHomeCheck(machine, sparkHome, job),
            new SchemeCheck(job),
            new PenstockCheck(job)));
    settings(doctor);
    if (checkpoint.isPresent()) {
      doctor.run("checkpoint", List.of(new CheckpointMountCheck(machine, checkpoint.get())));
    }
  }

  private void settings(Doctor doctor) throws InterruptedException {
    if (!job.hasSettings()) {
      doctor.add("settings", CheckOutcome.skipped("settings", "none were given", where()));
      return;
    }
    PenstockView penstock = PenstockView.of(loader);
    List<Check> checks =
        List.of(
            new NamesCheck(job, penstock),
            new PenstockSettingsCheck(job, penstock),
            new DriverKeysCheck(job),
            new NativeEngineCheck(job),
            new CommitterCheck(job),
            new CheckpointManagerCheck(job),
            new TimeoutCheck(job),
            new RetryCheck(job),
            new PoolCheck(job, penstock.keys()),
            new ScanCheck(job));
    doctor.run("settings", checks);
  }

  private String where() {
    return sparkHome
        .map(home -> home + DEFAULTS)
        .filter(file -> machine.read(file).isPresent())
        .map(file -> "Add --conf " + file + ".")
        .orElse("Add --conf spark-defaults.conf, --conf core-site.xml or --conf KEY=VALUE.");
  }

  /** Returns the effective settings if any settings were given. */
  List<Effective> effective() {
    return job.hasSettings() ? EffectiveSettings.of(job, ignored()) : List.of();
  }

  /** Returns Spark's file without what stops or misleads a job with the plugin. */
  CorrectedConf corrected(String text) throws IOException {
    return CorrectedConf.of(text, job, PenstockView.of(loader));
  }

  private List<String> ignored() {
    Settings settings = Settings.of(job.given().values());
    try {
      return job.usesPenstock() ? StoreStack.withoutEffect(settings, loader) : List.of();
    } catch (ConfigException e) {
      return List.of(); // the settings' check tells it
    }
  }
}
