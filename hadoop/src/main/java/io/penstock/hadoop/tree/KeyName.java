/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import java.util.regex.Pattern;

/**
 * Decides from the name at the end of a key which request to send first, and whether the key is a
 * marker.
 */
public final class KeyName {
  /** EMRFS marks directory {@code x} by an object {@code x_$folder$}. */
  public static final String EMRFS_MARKER = "_$folder$";

  private static final Pattern FILE =
      Pattern.compile(
          "\\.?part-.*|_SUCCESS|_partitioner|_(common_)?metadata|.*\\.[A-Za-z][A-Za-z0-9]{0,9}");

  /**
   * Endings that only files have, and the names in Spark's fallback storage of shuffles. Names such
   * as {@code x.parquet} or {@code x.csv} are not here, because data sets are directories with such
   * names.
   */
  private static final Pattern ALWAYS_FILE =
      Pattern.compile(
          ".*\\.(sst|log|crc|tmp|zip|jar|gz|tgz|whl|egg|py|yaml|yml|conf)"
              + "|shuffle_[0-9]+_[0-9]+_[0-9]+\\.(index|data)");

  /**
   * Names that Iceberg's Hadoop catalog asks for to find out which version of a table is the last.
   * Three of four do not exist.
   */
  private static final Pattern ICEBERG_VERSION =
      Pattern.compile("v[0-9]+(\\.gz)?\\.metadata\\.json(\\.gz)?");

  private KeyName() {}

  /**
   * Returns true for names that files have: names with an extension, and the names that Spark and
   * Hadoop give to files. This guess decides only which request is sent first. It never changes the
   * result.
   */
  public static boolean looksLikeFile(String key) {
    return FILE.matcher(name(key)).matches();
  }

  /**
   * Returns true for names of files that are mostly looked for in vain. A listing of the key finds
   * out with one request that there is neither a file nor a directory. Like {@link #looksLikeFile},
   * this decides only which request is sent first.
   */
  static boolean isMostlyMissing(String key) {
    return ICEBERG_VERSION.matcher(name(key)).matches();
  }

  /**
   * Returns true for names that only files have, so that no request needs to check for a directory.
   */
  public static boolean isSurelyFile(String key) {
    return ALWAYS_FILE.matcher(name(key)).matches();
  }

  private static String name(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  static boolean isColumnar(String key) {
    return key.endsWith(".parquet") || key.endsWith(".orc");
  }

  public static boolean isMarker(String key) {
    return key.endsWith("/") || key.endsWith(EMRFS_MARKER);
  }
}
