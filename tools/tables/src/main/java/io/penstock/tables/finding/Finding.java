/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.finding;

import java.util.Objects;

/**
 * A problem that a tool found, with advice.
 *
 * @param what one sentence, the same for all findings of this type
 * @param where the file or object with the problem
 * @param meaning the effect on the query
 * @param advice the change to make
 */
public record Finding(Severity severity, String what, String where, String meaning, String advice) {
  public Finding {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(what, "what");
    Objects.requireNonNull(where, "where");
    Objects.requireNonNull(meaning, "meaning");
    Objects.requireNonNull(advice, "advice");
  }
}
