/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Label;
import java.util.List;

/**
 * The answer of a rule about a job.
 *
 * @param label the names of the rule
 * @param evidence the numbers behind the answer, in a sentence or two; if there are none, the data
 *     that is missing
 * @param changes the settings, with their current and recommended values
 * @param effect the expected effect and the basis of the expectation
 * @param gainPercent the expected gain in percent of the job's time, if it can be estimated; orders
 *     the list
 * @param risk the cost of the change and what it may break
 * @param verify the number of {@code penstock compare} that must change
 * @param proofs the queries and their rows
 * @param lacks the logs whose facts are missing, if there is no evidence
 */
public record Advice(
    Label label,
    AdviceVerdict verdict,
    String evidence,
    List<Change> changes,
    String effect,
    Confidence confidence,
    double gainPercent,
    String risk,
    String verify,
    String source,
    List<Proof> proofs,
    List<LogKind> lacks) {
  public Advice {
    changes = List.copyOf(changes);
    proofs = List.copyOf(proofs);
    lacks = List.copyOf(lacks);
  }

  /** Returns the id of the rule, such as R5. */
  public String rule() {
    return label.id();
  }

  public String title() {
    return label.title();
  }

  /** Returns the same advice with another text of evidence. */
  public Advice because(String text) {
    return new Advice(
        label,
        verdict,
        text,
        changes,
        effect,
        confidence,
        gainPercent,
        risk,
        verify,
        source,
        proofs,
        lacks);
  }

  /** Returns the same advice with the queries that it is based on. */
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
        rows,
        lacks);
  }
}
