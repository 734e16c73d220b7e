/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.facts;

import io.penstock.analyze.advice.Evidence;
import io.penstock.tables.Table;
import java.util.Locale;
import java.util.Optional;

/** Says what exceptions tell of throttling: logs at the default level have nothing else of S3. */
public final class ToldErrors {
  public static final String QUERY = "told";
  private static final long THROTTLED = 503;

  private ToldErrors() {}

  /** Returns a sentence on the throttling that exceptions name; empty without any. */
  public static Optional<String> throttled(Evidence evidence) {
    Table told = evidence.table(QUERY);
    long answers = 0;
    for (int row = 0; row < told.rows().size(); row++) {
      answers += told.count(row, "status") == THROTTLED ? told.count(row, "answers") : 0;
    }
    return answers == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Exceptions in these logs report %,d %s with status 503. Retries that were not"
                    + " logged are not counted.",
                answers,
                answers == 1 ? "answer" : "answers"));
  }
}
