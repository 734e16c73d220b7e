/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Label;
import java.util.List;

/**
 * The words of a rule about a job.
 *
 * @param label the names of the rule
 * @param evidence the numbers it rests on, in a sentence or two; what is missing when there is none
 * @param changes now and recommended
 * @param effect what is expected, and on what basis
 * @param gainPercent of the job's time, as far as a number can be had; orders the list
 * @param risk what it costs or may break
 * @param verify which number of {@code penstock compare} must move
 * @param proofs the queries and their rows
 */
public record Advice(
    Label label,
    Verdict verdict,
    String evidence,
    List<Change> changes,
    String effect,
    Confidence confidence,
    double gainPercent,
    String risk,
    String verify,
    String source,
    List<Proof> proofs) {
  public Advice {
    changes = List.copyOf(changes);
    proofs = List.copyOf(proofs);
  }

  /** Returns the id of the rule, such as R5. */
  public String rule() {
    return label.id();
  }

  public String title() {
    return label.title();
  }

  /** The same with the queries it rests on. */
  public Advice with(List<Proof> rows) {
    return new Advice(
        label,
        verdict,
        evidence,
        changes,
        effect,
        confidence,
        gainPercent,
        risk,
        verify,
        source,
        rows);
  }
}
