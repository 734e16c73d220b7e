/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.finding;

import java.util.Objects;

/**
 * Something that was seen, and what to do about it.
 *
 * @param what one sentence, the same for every finding of this sort
 * @param where the file or thing it was seen at
 * @param meaning what it does to the query
 * @param advice what to do
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
