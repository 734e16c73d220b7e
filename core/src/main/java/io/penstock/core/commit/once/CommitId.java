/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.once;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a commit that happens once: of all jobs that commit under it to one output, the first
 * makes its files visible, and each later one ends with success and writes nothing.
 *
 * @param text the name, unique in its series; not empty
 * @param series the commits that are forgotten in turn: of a series, only the {@code kept} newest
 *     are remembered at a table
 * @param kept positive
 */
public record CommitId(String text, String series, int kept) {
  /** Longer names belong into a digest. */
  private static final int LENGTH_MAX = 1000;

  private static final String USERS = "users";
  private static final int USERS_KEPT = 500;
  private static final int QUERY_KEPT = 100;

  public CommitId {
    if (text.isBlank() || text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "the id of a commit has 1 to %d characters and is not blank, got %s"
              .formatted(LENGTH_MAX, text.isBlank() ? "'" + text + "'" : text.length() + ""));
    }
    if (kept < 1) {
      throw new IllegalArgumentException("kept must be positive, got " + kept);
    }
  }

  /** Returns the name that a user has given to a write. */
  public static CommitId ofUser(String text) {
    return new CommitId(text, USERS, USERS_KEPT);
  }

  /** Returns the name of a write in a batch of a streaming query. */
  public static CommitId ofBatch(String query, String text) {
    return new CommitId(text, "query " + query, QUERY_KEPT);
  }

  /** Returns the part of the records' names that the series has in common. */
  String seriesDigest() {
    return digest(series).substring(0, 8);
  }

  /** Returns the part of the record's name that no other name has at this output. */
  String digest() {
    return digest(series + "\n" + text).substring(0, 32);
  }

  /** Returns the SHA-256 of a text, in hexadecimal digits. */
  public static String digest(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
