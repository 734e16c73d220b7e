/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config.spark;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Tells who reads S3 where a native engine is among Spark's plugins. */
public final class NativeReaders {
  public static final String COMET = "org.apache.spark.CometPlugin";
  public static final String GLUTEN = "org.apache.gluten.GlutenPlugin";

  /** The schemes that Comet reads through Hadoop's file systems instead of its own client. */
  private static final String COMET_SCHEMES = "fs.comet.libhdfs.schemes";

  private static final String RAPIDS = "com.nvidia.spark.SQLPlugin";
  private static final String RAPIDS_CLIENT = "spark.rapids.perfio.s3.enabled";

  private NativeReaders() {}

  /**
   * Returns what is said about who reads and who writes; empty without a native engine.
   *
   * @param settings returns what is set under a name of Spark, or of Hadoop without Spark's prefix
   */
  public static Optional<String> description(Function<String, Optional<String>> settings) {
    String plugins = settings.apply("spark.plugins").orElse("");
    if (plugins.contains(COMET)) {
      List<String> schemes = List.of(settings.apply(COMET_SCHEMES).orElse("").split(",", -1));
      return Optional.of(
          schemes.containsAll(List.of("s3", "s3a"))
              ? through("Comet")
              : past("Comet")
                  + " spark.hadoop.%s=s3,s3a makes Comet read through Penstock."
                      .formatted(COMET_SCHEMES));
    }
    if (plugins.contains(GLUTEN)) {
      return Optional.of(past("Gluten"));
    }
    if (plugins.contains(RAPIDS)) {
      boolean hasClient =
          settings.apply(RAPIDS_CLIENT).orElse("").strip().toLowerCase(Locale.ROOT).equals("true");
      return Optional.of(
          hasClient
              ? past("RAPIDS")
                  + " %s=false makes it read through Penstock.".formatted(RAPIDS_CLIENT)
              : through("RAPIDS"));
    }
    return Optional.empty();
  }

  private static String through(String engine) {
    return engine + " reads through Penstock; Spark writes through Penstock.";
  }

  private static String past(String engine) {
    return engine
        + " reads S3 with its own client, past Penstock's rate control, hedges and counts; Spark"
        + " writes through Penstock.";
  }
}
