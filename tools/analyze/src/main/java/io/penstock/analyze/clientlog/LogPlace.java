/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that wrote a log, as far as the log's path identifies it.
 *
 * @param app the application id of Spark or YARN; empty when the path does not contain it
 * @param exec the executor's name in YARN, Kubernetes or Spark's standalone mode; empty when the
 *     path does not contain it
 */
record LogPlace(String app, String exec) {
  static final LogPlace UNKNOWN = new LogPlace("", "");

  // container_1717511234567_0042_01_000002, container_e17_1717511234567_0042_01_000002
  private static final Pattern CONTAINER =
      Pattern.compile("container_(?:e\\d+_)?(\\d{13}_\\d{4,})_\\d{2,}_\\d{6,}");
  // app-20240604144012-0003/7/stderr
  private static final Pattern STANDALONE = Pattern.compile("(app-\\d{14}-\\d{4,})/(\\d+)/");
  private static final Pattern SPARK_ON_K8S = Pattern.compile("(spark-[0-9a-f]{32})");
  // my-job-0123456789abcdef-exec-3, my-job-0123456789abcdef-driver
  private static final Pattern POD =
      Pattern.compile("([a-z0-9][a-z0-9.-]*-(?:exec-\\d+|driver))(?![a-z0-9])");
  private static final Pattern YARN_APP = Pattern.compile("(application_\\d{13}_\\d{4,})");

  static LogPlace of(String path) {
    Matcher container = CONTAINER.matcher(path);
    if (container.find()) {
      return new LogPlace("application_" + container.group(1), container.group());
    }
    Matcher standalone = STANDALONE.matcher(path);
    if (standalone.find()) {
      return new LogPlace(standalone.group(1), standalone.group(2));
    }
    Matcher app = SPARK_ON_K8S.matcher(path);
    Matcher yarn = YARN_APP.matcher(path);
    String name = app.find() ? app.group(1) : yarn.find() ? yarn.group(1) : "";
    Matcher pod = POD.matcher(path);
    return new LogPlace(name, pod.find() ? pod.group(1) : "");
  }
}
