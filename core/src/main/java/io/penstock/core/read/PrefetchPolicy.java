/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.read.footer.FooterTable;
import io.penstock.core.recent.LruCache;

/**
 * Decides for which tables bytes are requested before they are asked for. Where such bytes were not
 * wanted, fewer and fewer of the next chances are taken; where they were wanted, all are. Safe for
 * many threads.
 */
public final class PrefetchPolicy {
  private static final int TABLES_MAX = 1_000;

  /** At worst, one chance of this many is taken. It costs little and notices when a guess pays. */
  private static final int PAUSE_MAX = 64;

  private final LruCache<String, Luck> tables = new LruCache<>(TABLES_MAX);

  /**
   * The guesses for one table.
   *
   * @param pause the number of chances that the last wrong guess made us leave out
   * @param left the number of chances to leave out now
   */
  private record Luck(int pause, int left) {
    static final Luck UNKNOWN = new Luck(0, 0);

    Luck wrong() {
      int longer = Math.min(PAUSE_MAX, Math.max(1, 2 * pause));
      return new Luck(longer, longer);
    }

    Luck leftOut() {
      return new Luck(pause, left - 1);
    }
  }

  /** Creates guesses that know nothing yet. */
  public PrefetchPolicy() {}

  /** Returns true if the next bytes of this object should be guessed. Counts as a chance. */
  synchronized boolean isWorthwhile(String key) {
    String table = FooterTable.of(key);
    Luck luck = tables.get(table).orElse(Luck.UNKNOWN);
    if (luck.left() == 0) {
      return true;
    }
    tables.put(table, luck.leftOut());
    return false;
  }

  /** Notes that guessed bytes of the object were wanted. */
  synchronized void wasRight(String key) {
    tables.put(FooterTable.of(key), Luck.UNKNOWN);
  }

  /** Notes that guessed bytes of the object were not wanted. */
  synchronized void wasWrong(String key) {
    String table = FooterTable.of(key);
    tables.put(table, tables.get(table).orElse(Luck.UNKNOWN).wrong());
  }
}
