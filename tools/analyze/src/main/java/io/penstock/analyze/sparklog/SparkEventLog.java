/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.input.Head;
import java.util.List;
import java.util.regex.Pattern;

/** Detects Spark's event logs by their content. */
public final class SparkEventLog {
  private static final int LOOK_AT = 20;
  private static final Pattern EVENT =
      Pattern.compile(
          "^\\{\\s*\"Event\"\\s*:\\s*\"(?:SparkListener|org\\.apache\\.spark\\.)[^\"]*\".*");

  private SparkEventLog() {}

  /**
   * Returns true if a file is an event log or a part of one.
   *
   * @param head the decompressed beginning of the file
   */
  public static boolean matches(Head head) {
    List<String> lines = head.lines(LOOK_AT);
    long events = lines.stream().filter(line -> EVENT.matcher(line).find()).count();
    return events > 0 && events * 2 >= lines.size();
  }
}
