/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.once;

import io.penstock.core.store.keys.KeyLimits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * The name of a commit that happens once: of all jobs that commit under it to one output, the first
 * makes its files visible, and each later one ends with success and writes nothing.
 *
 * @param text the name, unique in its series; not empty
 * @param series the commits of which a table forgets the oldest ones in turn
 * @param batch number of the batch in which a streaming query writes; empty for a name that a user
 *     has given
 */
public record CommitId(String text, String series, OptionalLong batch) {
  /** Longer names belong into a digest. */
  private static final int LENGTH_MAX = 1000;

  private static final int SERIES_DIGITS = 8;
  private static final String USERS = "users";

  public CommitId {
    if (text.isBlank() || text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "the id of a commit has 1 to %d characters and is not blank, got %s"
              .formatted(LENGTH_MAX, text.isBlank() ? "'" + text + "'" : text.length() + ""));
    }
  }

  /** Returns the name that a user has given to a write. */
  public static CommitId ofUser(String text) {
    return new CommitId(text, USERS, OptionalLong.empty());
  }

  /** Returns the name of a write in a batch of a streaming query. */
  public static CommitId ofBatch(String query, long batch, String text) {
    return new CommitId(text, "query " + query, OptionalLong.of(batch));
  }

  /** Returns the part of the records' names that the series has in common. */
  String seriesDigest() {
    return digest(series).substring(0, SERIES_DIGITS);
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
    return KeyLimits.shown(text); // It stands in logs and errors.
  }
}
