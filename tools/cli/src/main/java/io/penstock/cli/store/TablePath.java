/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path in a bucket, as given to a command.
 *
 * @param key without slashes at its ends; empty for the whole bucket
 */
public record TablePath(String bucket, String key) {
  private static final Pattern TEXT = Pattern.compile("s3a?://([^/]+)/*(.*?)/*");

  /**
   * Parses {@code s3://BUCKET/PREFIX}.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static TablePath of(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          text + " is no path in a bucket; write s3://BUCKET/PREFIX");
    }
    return new TablePath(parts.group(1), parts.group(2));
  }
}
