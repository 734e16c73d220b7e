/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import java.util.regex.Pattern;

/** The names that Spark, Delta and Iceberg give their data files. */
public final class DataFileNames {
  private static final String UUID =
      "\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}";

  /** Names as Spark and Delta give them, and after that those of Iceberg. */
  private static final Pattern WRITTEN_ONCE =
      Pattern.compile(
          ("part-\\d+-UUID(_\\d+)?[-.]c\\d+(\\.\\w+)?\\.(parquet|orc|avro)"
                  + "|\\d+-\\d+-UUID(-\\d+)?-\\d+(-deletes)?\\.(parquet|orc|avro)"
                  + "|UUID-m\\d+\\.avro|snap-\\d+-\\d+-UUID\\.avro")
              .replace("UUID", UUID));

  private DataFileNames() {}

  /** Returns true if the name has a new UUID in it, so that no other file gets the same. */
  public static boolean isWrittenOnce(String key) {
    return WRITTEN_ONCE.matcher(key.substring(key.lastIndexOf('/') + 1)).matches();
  }
}
