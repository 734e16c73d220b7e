/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.Published;
import io.penstock.tables.Label;
import java.util.Optional;

/**
 * Rule R2: advises against AIMD, which costs time if few writes are throttled or if others cause
 * it.
 */
public final class AimdOff extends Rule {
  public AimdOff() {
    super(
        new Label("R2", "no-rate-control", "leave AIMD off"), RateFacts.SOURCE, RateFacts.QUERIES);
  }

  @Override
  public boolean isOfAllRequests() {
    return true;
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    RateFacts facts = RateFacts.of(evidence);
    if (facts.answer() != RateDecider.Answer.OFF) {
      return Optional.empty();
    }
    Draft draft = facts.into(dont());
    double percent = facts.load().throttledWritesPercent();
    if (percent >= Limits.AIMD_OFF_PERCENT) {
      draft.because(
          "Other jobs cause the throttling. AIMD would slow down this job, and not the other"
              + " jobs.");
    }
    double cost = Published.aimdPercent(percent);
    return draft
        .effect(
            facts.areComparable() ? Confidence.HIGH : Confidence.MEDIUM,
            0,
            percent >= Limits.AIMD_OFF_PERCENT
                ? "none"
                : "AIMD would change the job's time by %+.1f %%. This is estimated from published"
                    + " runs with and without AIMD: AIMD changed the time by +15.1 %% when 1.0 %%"
                    + " of the writes were throttled, by +29.0 %% at 6.6 %%, and by +10.4 %% at"
                    + " 14.6 %%.",
            cost)
        .risk("none; first follow the rules file-size and hot-prefix")
        .verify("elapsed time, if you try AIMD anyway")
        .done();
  }
}
