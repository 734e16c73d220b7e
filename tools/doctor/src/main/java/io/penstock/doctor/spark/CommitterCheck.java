/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.spark.SparkJudge;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;
import java.util.Optional;

/** Checks if output would be committed by renames, which S3 does not have (rule R15). */
public record CommitterCheck(Job job) implements Check {
  private static final String PROTOCOL = SparkJudge.SQL_PROTOCOL;
  private static final String CLOUD_PROTOCOL =
      "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol";

  @Override
  public String name() {
    return "committer";
  }

  @Override
  public List<CheckOutcome> look() {
    if (job.hasPlugin()) {
      return PluginFindings.of(
          name(),
          job.keepsCommitters() ? List.of() : job.judge().committers(),
          job.keepsCommitters() ? "as configured: the plugin's are off" : "Penstock's: no rename");
    }
    return List.of(job.usesPenstock() ? penstock() : s3a());
  }

  private CheckOutcome penstock() {
    Optional<String> protocol = job.given().get(PROTOCOL);
    if (protocol.filter(name -> name.startsWith("io.penstock.")).isEmpty()) {
      return CheckOutcome.warn(
          name(),
          "Penstock's file system is set, but its commit protocol is not, so Spark would commit by"
              + " renaming files",
          "Set spark.plugins=io.penstock.spark.PenstockPlugin, which sets both.");
    }
    return CheckOutcome.pass(name(), "Penstock's: no rename");
  }

  private CheckOutcome s3a() {
    String committer = job.effective("fs.s3a.committer.name");
    boolean isBound = job.given().get(PROTOCOL).filter(CLOUD_PROTOCOL::equals).isPresent();
    boolean bindsItself = !job.spark().isBefore(4, 1, 0);
    if (!committer.equals("file") && (isBound || bindsItself)) {
      return hasModule() ? CheckOutcome.pass(name(), "S3A's " + committer) : withoutModule();
    }
    if (!committer.equals("file")) {
      return CheckOutcome.fail(
          name(),
          "fs.s3a.committer.name=%s is set, but Spark %s needs further settings to use it"
              .formatted(committer, job.spark()),
          "Set %s=%s and spark.sql.parquet.output.committer.class=%s, with spark-hadoop-cloud on"
                  .formatted(
                      PROTOCOL,
                      CLOUD_PROTOCOL,
                      "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter")
              + " the class path; or use Penstock.");
    }
    if (bindsItself && hasModule() && job.given().get("fs.s3a.committer.name").isEmpty()) {
      return CheckOutcome.pass(
          name(), "S3A's magic committer, the default of Spark " + job.spark());
    }
    return renames();
  }

  private boolean hasModule() {
    return job.home().isEmpty() || job.home().get().hasCloudModule();
  }

  private CheckOutcome withoutModule() {
    return CheckOutcome.fail(
        name(),
        "S3A's committers need spark-hadoop-cloud, which is not in jars/",
        "Add org.apache.spark:spark-hadoop-cloud_%s:%s, or use Penstock."
            .formatted(job.home().flatMap(SparkHome::scala).orElse("2.13"), job.spark()));
  }

  private CheckOutcome renames() {
    boolean isUnsafe = job.effective("mapreduce.fileoutputcommitter.algorithm.version").equals("2");
    boolean speculates = job.effective("spark.speculation").equals("true");
    String said = "commits by rename, which on S3 is a copy and a delete of each file";
    if (isUnsafe) {
      String more = speculates ? "; spark.speculation makes duplicate rows likely" : "";
      return CheckOutcome.fail(
          name(),
          said + "; algorithm version 2 leaves the output of failed tasks visible" + more,
          "Remove mapreduce.fileoutputcommitter.algorithm.version, and use Penstock or S3A's"
              + " magic committer.");
    }
    return CheckOutcome.warn(
        name(),
        said,
        "Use Penstock (spark.plugins=io.penstock.spark.PenstockPlugin), or S3A's magic committer"
            + " with spark-hadoop-cloud.");
  }
}
