/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings that were given, by the names that file systems see: {@code spark.hadoop.} is taken
 * off.
 *
 * @param lost names in a file of Spark's that Spark ignores, because they lack that prefix
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

  /** Takes settings of Hadoop's XML or the command line, where either name is good. */
  public static Given ofHadoop(Map<String, String> settings) {
    Map<String, String> values = new LinkedHashMap<>();
    settings.forEach((name, value) -> values.put(bare(name), value));
    return new Given(values, List.of());
  }

  /** Takes settings of Spark's properties, where only what begins with {@code spark.} counts. */
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

  /** These, and those of the other where they differ. */
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
