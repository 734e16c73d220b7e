/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import io.penstock.analyze.engine.QueryEngine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** The tables that several analyses share. Each of them is computed once, from all requests. */
public final class Rollups {
  /** The rollups in the order of their definition: each may use those before it in the list. */
  private static final List<String> NAMES =
      List.of(
          "s3_cells",
          "s3_callers",
          "s3_hosts",
          "s3_by_second",
          "s3_by_who",
          "s3_by_dir",
          "s3_metadata_dirs",
          "s3_durations",
          "s3_tail",
          "s3_transfers",
          "s3_gets",
          "s3_clients",
          "s3_attempts",
          "s3_chain_sums",
          "s3_tangles",
          "s3_chains",
          "s3_outputs",
          "s3_applications");

  /** The rollups that only select from others, and so are not computed by themselves. */
  private static final Set<String> VIEWS = Set.of("s3_attempts", "s3_chains");

  /** Stands for {@link QueryEngine#mayBeRetried} in the definitions. */
  private static final String MAY_BE_RETRIED = "${may_be_retried}";

  private Rollups() {}

  public static List<String> names() {
    return NAMES;
  }

  /** Computes the rollup with this name. */
  public static void define(QueryEngine engine, String name) throws IOException {
    String sql = sql(name).replace(MAY_BE_RETRIED, engine.mayBeRetried());
    if (VIEWS.contains(name)) {
      engine.view(name, sql);
    } else {
      engine.define(name, sql);
    }
  }

  private static String sql(String name) throws IOException {
    try (InputStream in = Rollups.class.getResourceAsStream(name + ".sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
