/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.tables.bytes.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Computes a hash of all definitions so far. Two queries with the same text differ in meaning if
 * the definitions before them differ; the hash tells them apart.
 */
final class Lineage {
  private static final int DIGITS = 16;

  private byte[] digest = {};

  void add(String name, String sql) {
    digest = Sha256.of(digest, bytes(name), new byte[1], bytes(sql));
  }

  String hash() {
    return text(digest);
  }

  /** Returns a hash of all definitions so far and of a query on them. */
  String hashWith(String sql) {
    return text(Sha256.of(digest, bytes(sql)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] hash) {
    return HexFormat.of().formatHex(hash).substring(0, DIGITS);
  }
}
