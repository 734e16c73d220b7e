/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.Published;
import io.penstock.tables.Label;
import java.util.List;
import java.util.Optional;

/**
 * Rule R1: advises rate control if many writes are throttled and this job itself overloads the
 * bucket.
 */
public final class AimdOn implements Rule {
  @Override
  public Label label() {
    return new Label("R1", "rate-control", "control the request rate (AIMD)");
  }

  @Override
  public List<String> queries() {
    return RateFacts.QUERIES;
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(RateFacts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(RateFacts facts, JobSettings settings) {
    return switch (facts.answer()) {
      case ON -> on(facts, settings);
      case TRIAL -> trial(facts, settings);
      case TRIAL_WITHOUT -> without(facts, settings);
      case ADAPTIVE -> adaptive(facts);
      case NO_WRITES -> noWrites(facts);
      case OWN_SHARE_UNKNOWN -> unknown(facts);
      case OFF -> Optional.empty();
    };
  }

  private Optional<Advice> on(RateFacts facts, JobSettings settings) {
    Draft draft = Draft.of(this, AdviceVerdict.DO);
    facts.into(draft);
    double percent = Published.aimdPercent(facts.load().throttledWritesPercent());
    return draft
        .change(facts.change(settings, true))
        .effect(
            facts.areComparable() ? Confidence.HIGH : Confidence.LOW,
            -percent,
            "%+.1f %% time by the published pairs of EMRFS runs on 1,600 cores; the one at 23.5 %%"
                + " throttled had 22.7 %% fewer requests and 0.56 %% throttled left. One cluster, one prefix.",
            percent)
        .risk(
            "Slower where others cause the throttling, or once files are larger: do first what"
                + " file-size says, then measure again. EMRFS has it since EMR 6.4.")
        .verify("throttled share of writes falls, elapsed time falls")
        .source(RateFacts.SOURCE);
  }

  private Optional<Advice> trial(RateFacts facts, JobSettings settings) {
    Draft draft = Draft.of(this, AdviceVerdict.BENCHMARK);
    facts.into(draft);
    return draft
        .because(
            "That is between the limits of a yes (%.0f %%, %d s, own share %.0f %%) and of a no"
                + " (%.0f %%, own share %.0f %%).",
            Limits.AIMD_ON_PERCENT,
            Limits.AIMD_SECONDS,
            Limits.OWN_SHARE_ON_PERCENT,
            Limits.AIMD_OFF_PERCENT,
            Limits.OWN_SHARE_OFF_PERCENT)
        .change(facts.change(settings, true))
        .effect(
            Confidence.MEDIUM,
            0,
            "%+.1f %% time between the published rows; break-even there is at %.1f %% throttled.",
            Published.aimdPercent(facts.load().throttledWritesPercent()),
            Published.breakEvenPercent())
        .risk("one run more")
        .verify("elapsed time of both runs; the throttled share alone does not decide")
        .source(RateFacts.SOURCE);
  }

  private Optional<Advice> without(RateFacts facts, JobSettings settings) {
    Draft draft = Draft.of(this, AdviceVerdict.BENCHMARK);
    facts.into(draft);
    return draft
        .change(facts.change(settings, false))
        .because("AIMD is on, so these logs do not show what backoff would have met.")
        .effect(
            Confidence.MEDIUM,
            0,
            "AIMD made four of the five published pairs slower, by 3 to 29 %%, and one 11.6 %%"
                + " faster; all five had under 1 %% throttled with it.")
        .risk("one run more")
        .verify("elapsed time of a run without AIMD")
        .source(RateFacts.SOURCE);
  }

  private Optional<Advice> adaptive(RateFacts facts) {
    Draft draft = Draft.of(this, AdviceVerdict.DONT);
    facts.into(draft);
    return draft
        .because("Penstock's adaptive rate control is on; it has no cap until S3 throttles.")
        .effect(Confidence.HIGH, 0, "none: it is done")
        .source("docs/rate-control.md");
  }

  private Optional<Advice> noWrites(RateFacts facts) {
    Draft draft = Draft.lacking(this, LogKind.ACCESS_LOG);
    facts.told(draft);
    return draft
        .because(
            "No log of requests here has writes. An S3 server access log of the bucket that the job"
                + " writes to would settle it.")
        .source(RateFacts.SOURCE);
  }

  private Optional<Advice> unknown(RateFacts facts) {
    Draft draft = Draft.lacking(this, LogKind.ACCESS_LOG);
    facts.into(draft);
    return draft
        .because(
            "Whether other jobs load the bucket is not in these logs, and AIMD would give way to"
                + " them. An S3 server access log or CloudTrail of the bucket shows all clients.")
        .source(RateFacts.SOURCE);
  }
}
