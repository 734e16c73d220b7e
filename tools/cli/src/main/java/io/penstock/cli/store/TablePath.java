/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.store;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.store.keys.BucketNames;
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
   * Returns the table at this path.
   *
   * @throws IllegalArgumentException if it is a partition: commits belong to its table
   */
  public OutputTable table() {
    OutputTable table = OutputTable.of(bucket, key);
    if (!key.isEmpty() && !table.prefix().equals(key + "/")) {
      throw new IllegalArgumentException(
          "s3://%s/%s is a partition, and commits belong to tables: write %s"
              .formatted(bucket, key, table));
    }
    return table;
  }

  /**
   * Parses {@code s3://BUCKET/PREFIX}.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static TablePath of(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          BucketNames.shown(text) + " is no path in a bucket; write s3://BUCKET/PREFIX");
    }
    return new TablePath(BucketNames.checked(parts.group(1)), parts.group(2));
  }
}
