/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

import io.penstock.core.recent.LruCache;

/**
 * Decides how many of a file's last bytes to read with its status. These are the bytes that usually
 * contain a footer, or the whole file where the files of a table are so small that another request
 * would take longer than the rest of the file. Safe for many threads.
 */
public final class TailBytes {
  private static final int TABLES_MAX = 1_000;

  /** One small file says little about a table. */
  private static final int FILES_MIN = 2;

  /** A file that is larger than all files before by up to a quarter is still read whole. */
  private static final int MARGIN_PART = 4;

  /**
   * After so many statuses in a row of which no other byte was used, only footers are read: as many
   * tasks may have asked for a status and not read yet.
   */
  private static final int UNUSED_MAX = 128;

  /** The largest size is forgotten step by step as smaller files follow. */
  private static final int FORGOTTEN_PART = 8;

  private final long footerBytes;
  private final LruCache<String, Sizes> tables = new LruCache<>(TABLES_MAX);

  /**
   * The files of one table.
   *
   * @param largestBytes the size of the largest one, or less if it was seen long ago
   * @param unused the statuses since bytes before a footer were used
   */
  private record Sizes(long largestBytes, int files, int unused) {
    Sizes with(long sizeBytes) {
      long largest =
          sizeBytes > largestBytes
              ? sizeBytes
              : largestBytes - (largestBytes - sizeBytes) / FORGOTTEN_PART;
      return new Sizes(largest, Math.min(FILES_MIN, files + 1), Math.min(UNUSED_MAX, unused + 1));
    }
  }

  /**
   * @param footerBytes the number of bytes that usually contain a footer
   */
  TailBytes(long footerBytes) {
    this.footerBytes = footerBytes;
  }

  /**
   * Returns the number of last bytes to read, at least those of a footer.
   *
   * @param worthBytes a file of up to this size is better read by one request than by two
   */
  long of(String key, long worthBytes) {
    return tables
        .get(FooterTable.of(key))
        .filter(sizes -> sizes.files() >= FILES_MIN && sizes.unused() < UNUSED_MAX)
        .map(sizes -> sizes.largestBytes() + sizes.largestBytes() / MARGIN_PART)
        .filter(bytes -> bytes <= worthBytes)
        .map(bytes -> Math.max(bytes, footerBytes))
        .orElse(footerBytes);
  }

  /** Records that bytes of a file were read which are not in its last ones. */
  void used(String key) {
    String table = FooterTable.of(key);
    tables
        .get(table)
        .filter(sizes -> sizes.unused() > 0)
        .ifPresent(sizes -> tables.put(table, new Sizes(sizes.largestBytes(), sizes.files(), 0)));
  }

  /** Records the size of a file whose status was asked for. */
  void saw(String key, long sizeBytes) {
    String table = FooterTable.of(key);
    tables.put(table, tables.get(table).orElse(new Sizes(0, 0, 0)).with(sizeBytes));
  }
}
