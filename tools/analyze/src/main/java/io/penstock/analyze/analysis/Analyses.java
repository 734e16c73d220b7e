/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** All tables of the report, in the order of the report. */
public final class Analyses {
  private static final List<Analysis> ALL =
      Stream.of(
              "T1", "T2", "T3", "T4", "T4b", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12",
              "T13", "T14", "T16", "T17", "T21", "T22", "T23", "T24", "T25", "files", "records")
          .map(name -> Analysis.named(Analyses.class, name + ".sql"))
          .toList();

  private static final List<Analysis> PLOTS =
      Stream.of("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P9", "P10")
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

  /**
   * Returns the analysis with this id, a letter and a number; upper and lower case are the same.
   */
  public static Optional<Analysis> byId(String id) {
    String wanted = id.toUpperCase(Locale.ROOT);
    return Stream.concat(ALL.stream(), PLOTS.stream())
        .filter(analysis -> analysis.id().toUpperCase(Locale.ROOT).equals(wanted))
        .findFirst();
  }
}
