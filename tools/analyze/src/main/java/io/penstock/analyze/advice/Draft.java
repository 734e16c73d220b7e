/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Builds an {@link Advice} step by step. */
public final class Draft {
  private final Rule rule;
  private final AdviceVerdict verdict;
  private final List<LogKind> lacks;
  private final List<Change> changes = new ArrayList<>();
  private String evidence = "";
  private String effect = "";
  private Confidence confidence = Confidence.MEDIUM;
  private double gainPercent;
  private String risk = "";
  private String verify = "";

  Draft(Rule rule, AdviceVerdict verdict, List<LogKind> lacks) {
    this.rule = rule;
    this.verdict = verdict;
    this.lacks = lacks;
  }

  /** Adds a sentence to the evidence. */
  public Draft because(String format, Object... values) {
    return note(text(format, values));
  }

  /** Adds a finished sentence to the evidence; nothing if it is empty. */
  public Draft note(String sentence) {
    evidence = (evidence + ' ' + sentence).strip();
    return this;
  }

  public Draft change(Target target, String name, String now, String next) {
    changes.add(new Change(target, name, now, next));
    return this;
  }

  public Draft change(Change change) {
    changes.add(change);
    return this;
  }

  public Draft changes(List<Change> more) {
    changes.addAll(more);
    return this;
  }

  public Draft effect(Confidence basis, double gain, String format, Object... values) {
    confidence = basis;
    gainPercent = gain;
    effect = text(format, values);
    return this;
  }

  public Draft risk(String format, Object... values) {
    risk = text(format, values);
    return this;
  }

  public Draft verify(String format, Object... values) {
    verify = text(format, values);
    return this;
  }

  /** Returns the finished advice, whose source is the rule's. */
  public Optional<Advice> done() {
    return done(rule.source());
  }

  /** Returns the advice that nothing is gained by a change. */
  public Optional<Advice> leave(Confidence basis) {
    return effect(basis, 0, "none").done();
  }

  /** Returns the finished advice, with a source of its own. */
  public Optional<Advice> done(String source) {
    return Optional.of(
        new Advice(
            rule.label(),
            verdict,
            evidence,
            changes,
            effect,
            confidence,
            gainPercent,
            risk,
            verify,
            source,
            List.of(),
            lacks));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
