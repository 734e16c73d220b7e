/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/**
 * A question about a job. A rule does no I/O and uses no clock: its input is tables, its output is
 * advice.
 */
public abstract class Rule {
  private final Label label;
  private final String source;
  private final List<String> queries;

  /**
   * @param label its id is R and a number; its title is the subject of the rule
   * @param source what the rule's numbers are taken from
   * @param queries the names of the queries whose rows the rule needs, see {@link Evidence#table}
   */
  protected Rule(Label label, String source, List<String> queries) {
    this.label = label;
    this.source = source;
    this.queries = queries;
  }

  /**
   * Returns the answer of the rule. It is empty if the question does not apply to the job, or if
   * another rule gives the answer.
   */
  public abstract Optional<Advice> judge(Evidence evidence);

  public final Label label() {
    return label;
  }

  public final String id() {
    return label.id();
  }

  public final String title() {
    return label.title();
  }

  final String source() {
    return source;
  }

  public final List<String> queries() {
    return queries;
  }

  /** Returns the number of the rule, which gives the order of rules. */
  public final int number() {
    return Integer.parseInt(id().substring(1));
  }

  /** Returns whether the rule compares the job's requests with those of others. */
  public boolean isOfAllRequests() {
    return false;
  }

  protected final Draft draft(AdviceVerdict verdict) {
    return new Draft(this, verdict, List.of());
  }

  protected final Draft doIf(boolean isDue) {
    return draft(isDue ? AdviceVerdict.DO : AdviceVerdict.DONT);
  }

  protected final Draft benchmarkIf(boolean isDue) {
    return draft(isDue ? AdviceVerdict.BENCHMARK : AdviceVerdict.DONT);
  }

  protected final Draft dont() {
    return draft(AdviceVerdict.DONT);
  }

  /** Starts the answer that there is no evidence, because the facts of these logs are missing. */
  protected final Draft lacking(LogKind... logs) {
    return new Draft(this, AdviceVerdict.NO_EVIDENCE, List.of(logs));
  }

  /** Returns the answer that there is no evidence, with the reason. */
  protected final Optional<Advice> lacking(LogKind log, String format, Object... values) {
    return lacking(log).because(format, values).done();
  }
}
