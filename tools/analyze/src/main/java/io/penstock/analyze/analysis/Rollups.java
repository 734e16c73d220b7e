/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import io.penstock.analyze.engine.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tables that several analyses share, each computed once from all requests. */
public final class Rollups {
  /** Each uses those before it. */
  private static final List<String> NAMES =
      List.of(
          "s3_by_second",
          "s3_by_who",
          "s3_by_dir",
          "s3_durations",
          "s3_tail",
          "s3_transfers",
          "s3_gets",
          "s3_clients",
          "s3_repeated",
          "s3_chains",
          "s3_outputs");

  private Rollups() {}

  public static List<String> names() {
    return NAMES;
  }

  /** Computes one of them. */
  public static void define(Engine engine, String name) throws IOException {
    engine.define(name, sql(name));
  }

  private static String sql(String name) throws IOException {
    try (InputStream in = Rollups.class.getResourceAsStream(name + ".sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
