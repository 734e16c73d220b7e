/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks which file system would serve s3:// and s3a://, and if its jars are compatible. */
public record SchemeCheck(Job job) implements Check {
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";

  @Override
  public String name() {
    return "file systems";
  }

  @Override
  public List<CheckOutcome> look() {
    List<CheckOutcome> outcomes = new ArrayList<>();
    outcomes.add(served());
    boolean isS3a = !job.usesPenstock() || S3A.equals(job.given().get("fs.s3.impl").orElse(""));
    if (isS3a) {
      jars().ifPresent(outcomes::add);
    }
    return outcomes;
  }

  private CheckOutcome served() {
    if (job.hasPlugin()) {
      return CheckOutcome.pass(name(), "Penstock's plugin serves s3:// and s3a://");
    }
    if (!job.isKnown()) {
      return CheckOutcome.skipped(
          name(),
          "not checked: neither settings nor an installed Spark were given",
          "Add --conf FILE.");
    }
    String s3 = job.given().get("fs.s3.impl").orElse("nothing");
    String s3a = job.given().get("fs.s3a.impl").orElse(hasS3a() ? S3A : "nothing");
    String said = "s3:// is served by %s, s3a:// by %s".formatted(shortName(s3), shortName(s3a));
    return s3.equals("nothing") || s3a.equals("nothing")
        ? CheckOutcome.warn(
            name(),
            said,
            "Set spark.plugins=io.penstock.spark.PenstockPlugin, which serves both. A path with a"
                + " scheme that is not served fails with 'No FileSystem for scheme'.")
        : CheckOutcome.pass(name(), said);
  }

  /** Returns true if S3A may be available. If no Spark is found, --packages may add S3A. */
  private boolean hasS3a() {
    return job.home().isEmpty() || job.home().get().hadoopAws().isPresent();
  }

  private static String shortName(String className) {
    return switch (className) {
      case S3A -> "S3A";
      case "nothing" -> className;
      default -> className.startsWith("io.penstock.hadoop.") ? "Penstock" : className;
    };
  }

  private Optional<CheckOutcome> jars() {
    if (job.home().isEmpty() || job.home().get().hadoopAws().isEmpty()) {
      return Optional.empty();
    }
    SparkHome home = job.home().get();
    Release aws = home.hadoopAws().get();
    if (home.hadoop().filter(aws::equals).isEmpty()) {
      return Optional.of(
          CheckOutcome.fail(
              "S3A jars",
              "hadoop-aws is %s, but the rest of Hadoop is %s"
                  .formatted(aws, home.hadoop().map(Release::toString).orElse("?")),
              "Both must be the same release; Penstock needs no hadoop-aws at all."));
    }
    return Optional.of(
        home.hasSdk()
            ? CheckOutcome.pass("S3A jars", "hadoop-aws %s with an AWS SDK".formatted(aws))
            : CheckOutcome.fail(
                "S3A jars",
                "hadoop-aws %s without an AWS SDK".formatted(aws),
                "Add software.amazon.awssdk:bundle in the version that the pom of hadoop-aws names."
                    + " Penstock does not need it: its jar contains an AWS SDK."));
  }
}
