/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes a hash of all definitions so far. Two queries with the same text differ in meaning if
 * the definitions before them differ; the hash tells them apart.
 */
final class Lineage {
  private static final int DIGITS = 16;

  private byte[] digest = {};

  void add(String name, String sql) {
    MessageDigest sha = sha256();
    sha.update(digest);
    sha.update(name.getBytes(StandardCharsets.UTF_8));
    sha.update((byte) 0);
    digest = sha.digest(sql.getBytes(StandardCharsets.UTF_8));
  }

  String hash() {
    return text(digest);
  }

  /** Returns a hash of all definitions so far and of a query on them. */
  String hashWith(String sql) {
    MessageDigest sha = sha256();
    sha.update(digest);
    return text(sha.digest(sql.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(byte[] hash) {
    return HexFormat.of().formatHex(hash).substring(0, DIGITS);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
