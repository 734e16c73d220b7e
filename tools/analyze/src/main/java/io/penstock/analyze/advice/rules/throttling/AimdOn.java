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
import java.util.Optional;

/**
 * Rule R1: advises rate control if many writes are throttled and this job itself overloads the
 * bucket.
 */
public final class AimdOn extends Rule {
  private static final String OF_S3A =
      "S3A has no rate control. Under the same throttling, its committers with Penstock's engine"
          + " took 0.61 to 0.94 of their time without it, and 1 to 3 %% of the requests were"
          + " throttled instead of 8 to 47 %%: Penstock's own benchmark, of small files on MinIO.";

  private static final String PLUGIN =
      "the plugin needs penstock-spark.jar on the class path; it replaces S3A's file system and"
          + " committers unless penstock.filesystem=false leaves them and only paces their"
          + " requests";

  public AimdOn() {
    super(
        new Label("R1", "rate-control", "control the request rate (AIMD)"),
        RateFacts.SOURCE,
        RateFacts.QUERIES);
  }

  @Override
  public boolean isOfAllRequests() {
    return true;
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
      case TOO_FEW -> tooFew(facts);
      case OF_DRIVES -> ofDrives(facts);
      case OF_PART -> ofPart(facts);
      case OFF -> Optional.empty();
    };
  }

  private Optional<Advice> on(RateFacts facts, JobSettings settings) {
    if (facts.isForS3a()) {
      return ofS3a(facts.into(doIf(true)), facts, settings);
    }
    double percent = Published.aimdPercent(facts.load().throttledWritesPercent());
    return facts
        .into(doIf(true))
        .change(facts.change(settings, true))
        .effect(
            facts.areComparable() ? Confidence.HIGH : Confidence.LOW,
            -percent,
            "AIMD would change the job's time by %+.1f %%. This is estimated from published EMRFS"
                + " runs with and without AIMD, on one cluster of 1,600 cores and one prefix. In"
                + " the run with 23.5 %% of the writes throttled, AIMD gave 22.7 %% fewer requests"
                + " and lowered the throttled share to 0.56 %%.",
            percent)
        .risk(
            "AIMD makes the job slower if other jobs cause the throttling, or once files are"
                + " larger. Follow the rule file-size first, then measure again. EMRFS has AIMD"
                + " since EMR 6.4.")
        .verify("throttled share of writes falls, elapsed time falls")
        .done();
  }

  private static Optional<Advice> ofS3a(Draft draft, RateFacts facts, JobSettings settings) {
    return draft
        .change(facts.change(settings, true))
        .effect(Confidence.LOW, 0, OF_S3A)
        .risk(PLUGIN)
        .verify("throttled share of writes falls, elapsed time falls")
        .done();
  }

  private Optional<Advice> trial(RateFacts facts, JobSettings settings) {
    if (facts.isForS3a()) {
      return ofS3a(facts.into(draft(AdviceVerdict.BENCHMARK)), facts, settings);
    }
    return facts
        .into(draft(AdviceVerdict.BENCHMARK))
        .because(
            "These numbers speak neither clearly for AIMD nor clearly against it. AIMD is"
                + " recommended if at least %.0f %% of the writes were throttled, if at least %d"
                + " seconds had throttled requests, and if the job sent at least %.0f %% of the"
                + " requests in those seconds. AIMD is not recommended if less than %.0f %% of the"
                + " writes were throttled, or if the job sent less than %.0f %% of the requests in"
                + " those seconds.",
            Limits.AIMD_ON_PERCENT,
            Limits.AIMD_SECONDS,
            Limits.OWN_SHARE_ON_PERCENT,
            Limits.AIMD_OFF_PERCENT,
            Limits.OWN_SHARE_OFF_PERCENT)
        .change(facts.change(settings, true))
        .effect(
            Confidence.MEDIUM,
            0,
            "In published runs of EMRFS, at this throttled share or the one nearest to it, AIMD"
                + " changed the job's time by %+.1f %%; it makes no difference when %.1f %% of the"
                + " writes are throttled.",
            Published.aimdPercent(facts.load().throttledWritesPercent()),
            Published.breakEvenPercent())
        .risk("one run more")
        .verify(
            "elapsed time of both runs; the throttled share alone does not show which run is"
                + " better")
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
            "Five published jobs ran once without AIMD and once with AIMD. AIMD made four of them"
                + " slower, by 3 to 29 %%, and one 11.6 %% faster. With AIMD, less than 1 %% of the"
                + " writes were throttled in each of the five jobs.")
        .risk("one run more")
        .verify("elapsed time of a run without AIMD")
        .done();
  }

  private Optional<Advice> adaptive(RateFacts facts) {
    return facts
        .into(dont())
        .because(
            "Penstock's adaptive rate control is on; it does not limit the rate until S3"
                + " throttles.")
        .effect(Confidence.HIGH, 0, "none: it is done")
        .done("docs/rate-control.md");
  }

  private Optional<Advice> noWrites(RateFacts facts) {
    return lacking(LogKind.ACCESS_LOG)
        .note(facts.told())
        .because(
            "These logs have no write requests. The writes are in the S3 server access log of the"
                + " bucket that the job writes to.")
        .done();
  }

  private Optional<Advice> tooFew(RateFacts facts) {
    return facts
        .into(lacking(LogKind.ACCESS_LOG))
        .because("Less than %d throttled writes show no rate.", Limits.THROTTLED_MIN)
        .done();
  }

  private Optional<Advice> ofDrives(RateFacts facts) {
    return facts
        .into(dont())
        .because(
            "%,d of the answers are SlowDownWrite or SlowDownRead, by which MinIO says that too few"
                + " of its drives or nodes respond: that is no rate.",
            facts.ofDrives())
        .leave(Confidence.HIGH);
  }

  private Optional<Advice> ofPart(RateFacts facts) {
    return facts
        .into(lacking(LogKind.ACCESS_LOG))
        .because(
            "The S3 server access log of the bucket shows the load of all who use it, against which"
                + " a limit of one job's rate could be weighed.")
        .done();
  }

  private Optional<Advice> unknown(RateFacts facts) {
    return facts
        .into(lacking(LogKind.ACCESS_LOG))
        .because(
            "These logs do not show whether other jobs use the bucket. If they do, AIMD would slow"
                + " down only this job. An S3 server access log or CloudTrail of the bucket shows"
                + " all clients.")
        .done();
  }
}
