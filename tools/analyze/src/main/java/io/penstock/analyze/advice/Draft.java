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
  private String source = "";

  private Draft(Rule rule, AdviceVerdict verdict, List<LogKind> lacks) {
    this.rule = rule;
    this.verdict = verdict;
    this.lacks = lacks;
  }

  public static Draft of(Rule rule, AdviceVerdict verdict) {
    return new Draft(rule, verdict, List.of());
  }

  /** Starts the answer that there is no evidence, because the facts of these logs are missing. */
  public static Draft lacking(Rule rule, LogKind... logs) {
    return new Draft(rule, AdviceVerdict.NO_EVIDENCE, List.of(logs));
  }

  /** Adds a sentence to the evidence. */
  public Draft because(String format, Object... values) {
    evidence = (evidence + ' ' + text(format, values)).strip();
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

  /** Sets the source and returns the finished advice. */
  public Optional<Advice> source(String words) {
    source = words;
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
