/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/**
 * A question about a job. A rule does no I/O and uses no clock: its input is tables, its output is
 * advice.
 */
public interface Rule {
  /** Returns the id, which is R and a number, the name, and the subject of the rule. */
  Label label();

  default String id() {
    return label().id();
  }

  default String title() {
    return label().title();
  }

  /** Returns the names of the queries whose rows the rule needs, see {@link Evidence#table}. */
  List<String> queries();

  /**
   * Returns the answer of the rule. It is empty if the question does not apply to the job, or if
   * another rule gives the answer.
   */
  Optional<Advice> judge(Evidence evidence);

  /** Returns the number of the rule, which gives the order of rules. */
  default int number() {
    return Integer.parseInt(id().substring(1));
  }
}
