/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.Published;
import io.penstock.tables.Label;
import java.util.Optional;

/**
 * Rule R1: advises rate control if many writes are throttled and this job itself overloads the
 * bucket.
 */
public final class AimdOn extends Rule {
  public AimdOn() {
    super(
        new Label("R1", "rate-control", "control the request rate (AIMD)"),
        RateFacts.SOURCE,
        RateFacts.QUERIES);
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
    double percent = Published.aimdPercent(facts.load().throttledWritesPercent());
    return facts
        .into(doIf(true))
        .change(facts.change(settings, true))
        .effect(
            facts.areComparable() ? Confidence.HIGH : Confidence.LOW,
            -percent,
            "AIMD would change the job's time by %+.1f %%. This is estimated from published EMRFS"
                + " runs with and without AIMD, on one cluster of 1,600 cores and one prefix. With"
                + " AIMD, the run with 23.5 %% throttled had 22.7 %% fewer requests and 0.56 %%"
                + " throttled.",
            percent)
        .risk(
            "AIMD is slower if other jobs cause the throttling, or once files are larger. Follow"
                + " file-size first, then measure again. EMRFS has AIMD since EMR 6.4.")
        .verify("throttled share of writes falls, elapsed time falls")
        .done();
  }

  private Optional<Advice> trial(RateFacts facts, JobSettings settings) {
    return facts
        .into(draft(AdviceVerdict.BENCHMARK))
        .because(
            "The numbers are between two limits. AIMD is recommended from %.0f %% throttled writes"
                + " in at least %d seconds, if the job sent at least %.0f %% of the requests in"
                + " those seconds. It is not recommended below %.0f %%, or if the job sent less"
                + " than %.0f %%.",
            Limits.AIMD_ON_PERCENT,
            Limits.AIMD_SECONDS,
            Limits.OWN_SHARE_ON_PERCENT,
            Limits.AIMD_OFF_PERCENT,
            Limits.OWN_SHARE_OFF_PERCENT)
        .change(facts.change(settings, true))
        .effect(
            Confidence.MEDIUM,
            0,
            "AIMD would change the job's time by %+.1f %%, interpolated from published runs, where"
                + " it breaks even at %.1f %% throttled.",
            Published.aimdPercent(facts.load().throttledWritesPercent()),
            Published.breakEvenPercent())
        .risk("one run more")
        .verify("elapsed time of both runs; the throttled share alone does not decide")
        .done();
  }

  private Optional<Advice> without(RateFacts facts, JobSettings settings) {
    return facts
        .into(draft(AdviceVerdict.BENCHMARK))
        .change(facts.change(settings, false))
        .because("AIMD is on, so these logs do not show how much S3 would throttle without it.")
        .effect(
            Confidence.MEDIUM,
            0,
            "AIMD made four of the five published pairs slower, by 3 to 29 %%, and one 11.6 %%"
                + " faster; all five had under 1 %% throttled with it.")
        .risk("one run more")
        .verify("elapsed time of a run without AIMD")
        .done();
  }

  private Optional<Advice> adaptive(RateFacts facts) {
    return facts
        .into(dont())
        .because("Penstock's adaptive rate control is on; it has no cap until S3 throttles.")
        .effect(Confidence.HIGH, 0, "none: it is done")
        .done("docs/rate-control.md");
  }

  private Optional<Advice> noWrites(RateFacts facts) {
    return lacking(LogKind.ACCESS_LOG)
        .note(facts.told())
        .because(
            "None of the request logs here has writes. An S3 server access log of the bucket that"
                + " the job writes to has them.")
        .done();
  }

  private Optional<Advice> unknown(RateFacts facts) {
    return facts
        .into(lacking(LogKind.ACCESS_LOG))
        .because(
            "These logs do not show whether other jobs use the bucket, and AIMD would yield to"
                + " them. An S3 server access log or CloudTrail of the bucket shows all clients.")
        .done();
  }
}
