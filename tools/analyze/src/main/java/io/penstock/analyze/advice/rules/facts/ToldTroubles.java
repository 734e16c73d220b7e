/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.facts;

import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.errortext.Trouble;
import io.penstock.tables.Table;

/** Reads the troubles that the logs of drivers and executors name. */
public final class ToldTroubles {
  /** The query that a rule needs for it. */
  public static final String QUERY = "told_troubles";

  private ToldTroubles() {}

  /** Returns how often the logs tell of a trouble; 0 if they do not. */
  public static long times(Evidence evidence, Trouble trouble) {
    Table told = evidence.table(QUERY);
    for (int row = 0; row < told.rows().size(); row++) {
      if (told.text(row, "trouble").equals(trouble.words())) {
        return told.count(row, "times");
      }
    }
    return 0;
  }
}
