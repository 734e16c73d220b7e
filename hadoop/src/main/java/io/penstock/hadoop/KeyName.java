/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.util.regex.Pattern;

/**
 * Tells from the name at the end of a key which request finds it first, and whether it is a marker.
 */
final class KeyName {
  /** EMRFS marks directory {@code x} by an object {@code x_$folder$}. */
  static final String EMRFS_MARKER = "_$folder$";

  private static final Pattern FILE =
      Pattern.compile(
          "\\.?part-.*|_SUCCESS|_partitioner|_(common_)?metadata|.*\\.[A-Za-z][A-Za-z0-9]{0,9}");

  /** Data sets are directories named {@code x.parquet} or {@code x.csv}; never one of these. */
  private static final Pattern ALWAYS_FILE =
      Pattern.compile(".*\\.(sst|log|crc|tmp|zip|jar|gz|tgz|whl|egg|py|yaml|yml|conf)");

  private KeyName() {}

  /**
   * True for names that files have: with an extension, or the names Spark and Hadoop give to files.
   * A guess that decides only which request comes first, never the answer.
   */
  static boolean looksLikeFile(String key) {
    return FILE.matcher(key.substring(key.lastIndexOf('/') + 1)).matches();
  }

  /** True for names that are a file's so surely that nobody needs to look for a directory. */
  static boolean isSurelyFile(String key) {
    return ALWAYS_FILE.matcher(key.substring(key.lastIndexOf('/') + 1)).matches();
  }

  static boolean isColumnar(String key) {
    return key.endsWith(".parquet") || key.endsWith(".orc");
  }

  static boolean isMarker(String key) {
    return key.endsWith("/") || key.endsWith(EMRFS_MARKER);
  }
}
