/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.analysis;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables that every report has, in its order. */
public final class Analyses {
  private static final List<Analysis> ALL =
      Stream.of(
              "t01", "t02", "t03", "t04", "t04b", "t05", "t06", "t07", "t08", "t09", "t10", "t11",
              "t12", "t13", "t14", "t16", "t17", "t21", "files", "records")
          .map(name -> Analysis.named(Analyses.class, name + ".sql"))
          .toList();

  private Analyses() {}

  public static List<Analysis> all() {
    return ALL;
  }

  /** By its letter and number, in any case. */
  public static Optional<Analysis> byId(String id) {
    String wanted = id.toUpperCase(Locale.ROOT);
    return ALL.stream()
        .filter(analysis -> analysis.id().toUpperCase(Locale.ROOT).equals(wanted))
        .findFirst();
  }
}
