/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import java.util.Objects;

/**
 * The place at which jobs leave their intents, so that conflicting commits do not run at once.
 *
 * @param prefix empty for the whole bucket, otherwise ending with a slash; any other prefix throws
 *     an IllegalArgumentException
 */
public record OutputTable(String bucket, String prefix) {
  public OutputTable {
    Objects.requireNonNull(bucket, "bucket");
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("the prefix of a table ends with a slash, got " + prefix);
    }
  }

  /**
   * Returns the table that a job writes to. Trailing {@code name=value} parts do not count, so a
   * job that writes to one partition meets the jobs that write to the whole table.
   *
   * @param key of the job's output, with or without a slash at its end
   */
  public static OutputTable of(String bucket, String key) {
    String prefix = key.isEmpty() || key.endsWith("/") ? key : key + "/";
    while (lastPart(prefix).contains("=")) {
      prefix = prefix.substring(0, prefix.length() - lastPart(prefix).length() - 1);
    }
    return new OutputTable(bucket, prefix);
  }

  private static String lastPart(String prefix) {
    if (prefix.isEmpty()) {
      return "";
    }
    String path = prefix.substring(0, prefix.length() - 1);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix;
  }
}
