/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import io.penstock.core.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the engine under the S3 clients of others, by their own settings: S3A's, and Iceberg's
 * S3FileIO. The classes that the settings name are loaded only by S3A and by Iceberg.
 *
 * @param classes of the application
 */
record OtherClients(SparkConf conf, Configuration hadoop, Classes classes) {
  private static final Logger LOG = LoggerFactory.getLogger("io.penstock.spark.PenstockPlugin");

  /** Tells which classes the class loaders of an application see. */
  interface Classes {
    /** Returns true if the class is there, with all that it extends. */
    boolean has(String name);

    /** The same, for the loader of another class. */
    boolean has(String name, String asSeenFrom);
  }

  static final String S3A_FACTORY = "fs.s3a.s3.client.factory.impl";
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";

  /** Only a client of the AWS SDK v2 has it: Hadoop 3.4 and later. */
  private static final String S3A_OF_SDK_2 = "org.apache.hadoop.fs.s3a.impl.AWSClientConfig";

  private static final String DEFAULT = "org.apache.hadoop.fs.s3a.DefaultS3ClientFactory";
  private static final String UNDER_S3A = "io.penstock.sdk.S3AClientFactory";

  static final String S3A_INTERCEPTORS = "fs.s3a.audit.execution.interceptors";
  private static final String PACING = "io.penstock.sdk.PacingInterceptor";

  private static final String UNDER_ICEBERG = "io.penstock.sdk.IcebergClientFactory";
  private static final String FACTORY = ".s3.client-factory-impl";
  private static final String PREFIX = "spark.sql.catalog.";
  private static final Pattern CATALOG = Pattern.compile(Pattern.quote(PREFIX) + "([^.]+)");
  private static final String ICEBERG = "org.apache.iceberg.spark.";
  private static final String S3_FILE_IO = "org.apache.iceberg.aws.s3.S3FileIO";

  /** The last one chooses S3FileIO for paths of S3. */
  private static final Set<String> CHOOSE_S3_FILE_IO =
      Set.of(S3_FILE_IO, "org.apache.iceberg.io.ResolvingFileIO");

  /** The kinds of catalogs that use one of these if nothing is set. */
  private static final Set<String> WITH_S3_FILE_IO = Set.of("rest", "glue");

  /**
   * Puts the engine under S3A's client.
   *
   * @param set of a name of Hadoop's configuration
   * @return whether S3A is there
   * @throws ConfigException when it cannot be
   */
  boolean underS3A(BiConsumer<String, String> set) {
    String chosen = hadoop.get(S3A_FACTORY, DEFAULT);
    if (!chosen.equals(DEFAULT) && !chosen.equals(UNDER_S3A)) {
      throw new ConfigException(
          "%s=%s makes S3A's clients, and Penstock's engine cannot be put under them. Remove it, or"
                  .formatted(S3A_FACTORY, chosen)
              + " switch the plugin off (penstock.spark.enabled=false)");
    }
    if (!classes.has(S3A)) {
      return false;
    }
    if (!classes.has(S3A_OF_SDK_2)) {
      throw new ConfigException(
          "This hadoop-aws is older than 3.4 and has version 1 of the AWS SDK; Penstock's engine"
              + " runs under version 2. Use hadoop-aws 3.4.1 to 3.5.0, or Penstock's own file"
              + " system (penstock.filesystem=true)");
    }
    if (!classes.has(UNDER_S3A)) {
      throw new ConfigException(
          "Penstock's engine does not see hadoop-aws: penstock-spark.jar is in Spark's jars"
              + " directory, and hadoop-aws comes by --packages or --jars. Put both into the same"
              + " place");
    }
    set.accept(S3A_FACTORY, UNDER_S3A);
    // For S3A's asynchronous clients, which the factory leaves as they are.
    if (!hadoop.getBoolean("fs.s3a.audit.enabled", true)) {
      LOG.warn(
          "fs.s3a.audit.enabled=false: S3A's asynchronous clients, which copy large files, are not"
              + " paced and not counted");
    }
    String interceptors = hadoop.get(S3A_INTERCEPTORS, "").strip();
    if (!List.of(interceptors.split("\\s*,\\s*", -1)).contains(PACING)) {
      set.accept(S3A_INTERCEPTORS, interceptors.isEmpty() ? PACING : interceptors + "," + PACING);
    }
    return true;
  }

  /** Puts the engine under S3FileIO. Returns the catalogs that have it now. */
  List<String> underIceberg() {
    TreeMap<String, String> all = new TreeMap<>();
    for (scala.Tuple2<String, String> each : conf.getAll()) {
      all.put(each._1(), each._2());
    }
    List<String> found = new ArrayList<>();
    for (String name : List.copyOf(all.keySet())) {
      Matcher catalog = CATALOG.matcher(name);
      if (catalog.matches()
          && all.get(name).startsWith(ICEBERG)
          && hasS3FileIo(all, name)
          && UNDER_ICEBERG.equals(all.getOrDefault(name + FACTORY, UNDER_ICEBERG))
          && !all.containsKey(name + ".client.factory")
          && !"true".equals(all.get(name + ".glue.lakeformation-enabled"))
          && classes.has(S3_FILE_IO)) {
        found.add(catalog.group(1));
      }
    }
    // Until 1.9, Iceberg looks for it only where it comes from itself.
    if (!found.isEmpty() && !classes.has(UNDER_ICEBERG, S3_FILE_IO)) {
      LOG.warn(
          "Iceberg's S3FileIO of {} has no engine of Penstock, since one does not see the other:"
              + " one is in Spark's jars directory, and the other comes by --packages or --jars."
              + " Put both into the same place",
          String.join(", ", found));
      return List.of();
    }
    found.forEach(name -> conf.set(PREFIX + name + FACTORY, UNDER_ICEBERG));
    return found;
  }

  private static boolean hasS3FileIo(TreeMap<String, String> all, String catalog) {
    String io = all.get(catalog + ".io-impl");
    return io == null
        ? WITH_S3_FILE_IO.contains(all.getOrDefault(catalog + ".type", ""))
            || all.containsKey(catalog + ".catalog-impl")
        : CHOOSE_S3_FILE_IO.contains(io);
  }
}
