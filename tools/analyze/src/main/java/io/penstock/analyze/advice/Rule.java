/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/** A question about a job. Rules do no I/O and know no clock: tables in, advice out. */
public interface Rule {
  /** Returns R and a number, the name, and what it is about. */
  Label label();

  default String id() {
    return label().id();
  }

  default String title() {
    return label().title();
  }

  /** The names of the queries whose rows it needs, see {@link Evidence#table}. */
  List<String> queries();

  /** Its answer; empty when the question does not arise for such a job, or another rule has it. */
  Optional<Advice> judge(Evidence evidence);

  /** Its number, to sort by. */
  default int number() {
    return Integer.parseInt(id().substring(1));
  }
}
