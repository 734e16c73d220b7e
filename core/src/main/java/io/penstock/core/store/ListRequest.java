/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.util.Objects;
import java.util.Optional;

/**
 * A request for one page of a listing.
 *
 * @param prefix lists only keys that start with it; empty for all keys
 * @param delimiter groups the keys that contain it after the prefix; a group's name ends with the
 *     first delimiter after the prefix; empty for no groups
 * @param startAfter lists only keys after this one in UTF-8 byte order; empty for all keys
 * @param token the next token of the previous page; empty for the first page; valid only with the
 *     same prefix, delimiter and start
 * @param maxKeys limit for objects and groups together, 1 to 1,000; otherwise the constructor and
 *     {@link #limit} throw an IllegalArgumentException
 */
public record ListRequest(
    String prefix, String delimiter, String startAfter, Optional<String> token, int maxKeys) {
  public static final int MAX_KEYS = 1000;

  public ListRequest {
    Objects.requireNonNull(prefix, "prefix");
    Objects.requireNonNull(delimiter, "delimiter");
    Objects.requireNonNull(startAfter, "startAfter");
    Objects.requireNonNull(token, "token");
    if (maxKeys < 1 || maxKeys > MAX_KEYS) {
      throw new IllegalArgumentException("maxKeys must be 1 to 1000, got " + maxKeys);
    }
  }

  /** Returns a request for every key under the prefix. */
  public static ListRequest flat(String prefix) {
    return new ListRequest(prefix, "", "", Optional.empty(), MAX_KEYS);
  }

  /**
   * Returns a request for one level under the prefix: objects, and groups that end with {@code /}.
   */
  public static ListRequest level(String prefix) {
    return new ListRequest(prefix, "/", "", Optional.empty(), MAX_KEYS);
  }

  public ListRequest limit(int keys) {
    return new ListRequest(prefix, delimiter, startAfter, token, keys);
  }

  public ListRequest after(String key) {
    return new ListRequest(prefix, delimiter, key, token, maxKeys);
  }

  public ListRequest next(String nextToken) {
    return new ListRequest(prefix, delimiter, startAfter, Optional.of(nextToken), maxKeys);
  }
}
