/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** A Spark in this process, found by whoever asks for one. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession start(Map<String, String> more) {
    SparkSession.Builder builder = SparkSession.builder();
    more.forEach(builder::config);
    return builder
        .master("local[2]")
        .appName("penstock tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate();
  }
}
