/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings given by the user, by their names in Hadoop: the prefix {@code spark.hadoop.} is
 * removed.
 *
 * @param lost the names in one of Spark's files that Spark ignores because the prefix is missing
 */
public record Given(Map<String, String> values, List<String> lost) {
  private static final String OF_SPARK = "spark.hadoop.";
  private static final List<String> FAMILIES =
      List.of("fs.", "penstock.", "parquet.", "mapreduce.", "mapred.");

  public static final Given NOTHING = new Given(Map.of(), List.of());

  public Given {
    values = new TreeMap<>(values);
    lost = List.copyOf(lost);
  }

  /**
   * Returns settings from Hadoop's XML or the command line. Names with and without the prefix are
   * valid.
   */
  public static Given ofHadoop(Map<String, String> settings) {
    Map<String, String> values = new LinkedHashMap<>();
    settings.forEach((name, value) -> values.put(bare(name), value));
    return new Given(values, List.of());
  }

  /**
   * Returns settings from Spark's properties. Only names that begin with {@code spark.} are valid.
   */
  public static Given ofSpark(Map<String, String> settings) {
    Map<String, String> values = new LinkedHashMap<>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith("spark.")) {
            values.put(bare(name), value);
          }
        });
    return new Given(
        values,
        settings.keySet().stream()
            .filter(name -> FAMILIES.stream().anyMatch(name::startsWith))
            .toList());
  }

  /** Returns both sets of settings. If a name is in both, the value of the later set is used. */
  public Given and(Given later) {
    Map<String, String> both = new TreeMap<>(values);
    both.putAll(later.values);
    return new Given(
        both, java.util.stream.Stream.concat(lost.stream(), later.lost.stream()).toList());
  }

  private static String bare(String name) {
    return name.startsWith(OF_SPARK) ? name.substring(OF_SPARK.length()) : name;
  }

  Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
