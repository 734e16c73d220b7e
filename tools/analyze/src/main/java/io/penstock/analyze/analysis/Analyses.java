/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All tables of the report, in the order of the report. */
public final class Analyses {
  private static final List<Analysis> ALL =
      Stream.of(
              "summary",
              "operations",
              "throttled-operations",
              "top-seconds",
              "throttled-seconds",
              "request-rates",
              "tail-latency",
              "slowest-requests",
              "longest-retries",
              "attempts-per-request",
              "hot-prefixes",
              "executors",
              "stages",
              "stage-requests",
              "sizes",
              "jobs",
              "requesters",
              "errors",
              "dns-names",
              "paths",
              "job-facts",
              "stage-problems",
              "lost-executors",
              "told-requests",
              "failures",
              "error-messages",
              "troubles",
              "files",
              "records")
          .map(name -> Analysis.named(Analyses.class, name + ".sql"))
          .toList();

  private static final List<Analysis> PLOTS =
      Stream.of(
              "requests-over-time",
              "operations-over-time",
              "latency-curve",
              "latency-over-time",
              "prefixes-over-time",
              "executors-over-time",
              "attempts-at-one-object",
              "request-sizes",
              "stages-over-time")
          .map(name -> Analysis.named(Analyses.class, name + ".sql"))
          .toList();

  private Analyses() {}

  /** Returns the queries behind the plots of the report. */
  public static List<Analysis> plots() {
    return PLOTS;
  }

  public static List<Analysis> all() {
    return ALL;
  }

  /** Runs the analysis with this name. */
  public static Table run(String name, QueryEngine engine) throws IOException {
    return named(name).orElseThrow().run(engine);
  }

  /** Returns the analysis with this name, or with this id as an alias of its name. */
  public static Optional<Analysis> named(String name) {
    return Stream.concat(ALL.stream(), PLOTS.stream())
        .filter(analysis -> analysis.label().isCalled(name))
        .findFirst();
  }
}
