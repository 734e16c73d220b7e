/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.emit;

import io.penstock.analyze.advice.Advice;
import java.util.List;
import java.util.function.Function;

/** The file formats in which advice can be written. */
public enum Format {
  /** Lines for {@code spark-defaults.conf}. */
  SPARK_DEFAULTS("spark-defaults", SparkDefaults::of),
  /** A template for executors, for {@code spark.kubernetes.executor.podTemplateFile}. */
  POD_TEMPLATE("pod-template", PodTemplate::of),
  /** Properties for {@code core-site.xml}. */
  HADOOP_XML("hadoop-xml", HadoopXml::of);

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // a method without state
  private final Function<List<Advice>, String> writer;

  Format(String title, Function<List<Advice>, String> writer) {
    this.title = title;
    this.writer = writer;
  }

  /** Returns the name by which users choose the format. */
  public String title() {
    return title;
  }

  /**
   * Returns the settings of all advice with the verdict DO. What the file cannot set, and what is
   * to be measured first, stands in comments.
   */
  public String write(List<Advice> all) {
    return writer.apply(all);
  }
}
