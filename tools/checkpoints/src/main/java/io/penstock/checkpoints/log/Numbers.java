/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import java.util.Optional;

/** Parses the numbers in names of files. */
public final class Numbers {
  private static final int MAX_DIGITS = 18;

  private Numbers() {}

  /**
   * Returns the number of a batch or version in exactly the form that Spark writes. Any other form
   * of a number gives empty.
   */
  public static Optional<Long> batch(String text) {
    if (text.isEmpty()
        || text.length() > MAX_DIGITS
        || (text.length() > 1 && text.charAt(0) == '0')
        || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    return Optional.of(Long.parseLong(text));
  }
}
