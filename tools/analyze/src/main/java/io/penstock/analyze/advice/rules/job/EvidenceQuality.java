/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.ToldErrors;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Optional;

/** Rule R18: names the questions that these logs cannot answer. */
public final class EvidenceQuality extends Rule {

  /**
   * The facts about the completeness of the logs.
   *
   * @param told a sentence about what exceptions tell of throttling; empty if they tell nothing
   */
  record Facts(
      long requests,
      long withLatency,
      long subsecond,
      long audited,
      boolean hasAccessLog,
      boolean hasEventLog,
      long records,
      long rejected,
      String told) {
    static Facts of(Evidence evidence) {
      Table sources = evidence.table("sources");
      Table rejects = evidence.table("rejects");
      return new Facts(
          (long) sources.sum("requests"),
          (long) sources.sum("with_latency"),
          (long) sources.sum("subsecond"),
          (long) sources.sum("audited"),
          sources.find("source", "access_log").isPresent(),
          !evidence.table("apps").isEmpty(),
          rejects.count(0, "records"),
          rejects.count(0, "rejected"),
          ToldErrors.throttled(evidence).orElse(""));
    }
  }

  public EvidenceQuality() {
    super(
        new Label("R18", "better-logs", "see more next time"),
        "AWS S3 user guide, server access logs; AWS CloudTrail prices; hadoop-aws auditing",
        List.of("sources", "rejects", "apps", ToldErrors.QUERY));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence), evidence.settings());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings) {
    Draft draft = draft(isEnough(facts, settings) ? AdviceVerdict.DONT : AdviceVerdict.NO_EVIDENCE);
    if (facts.requests() == 0) {
      draft.because(
          facts.rejected() > 0
              ? "The logs have no readable requests: %,d of %,d records could not be parsed."
              : "The logs have no requests.",
          facts.rejected(),
          facts.records());
      draft.because(
          facts.hasEventLog()
              ? "A Spark event log is among the given logs."
              : "No Spark event log is among the given logs.");
    } else {
      because(draft, facts);
    }
    draft.note(facts.told());
    if (isEnough(facts, settings)) {
      return draft.effect(Confidence.HIGH, 0, "none: nothing is missing").done();
    }
    if (!facts.hasAccessLog()) {
      draft.change(
          Target.OUTSIDE,
          "S3 server access log of the bucket",
          "not here",
          "on (this log shows all clients, latencies and sizes; it costs nothing except storage; it"
              + " arrives hours later)");
    }
    if (lacksAudit(facts, settings)) {
      draft.change(settings.change(Target.HADOOP, "fs.s3a.audit.enabled", "by version", "true"));
    }
    if (!facts.hasEventLog()) {
      draft.change(Target.SPARK, "spark.eventLog.enabled", "not known", "true");
    }
    return draft
        .effect(Confidence.HIGH, 0, "rules that now answer 'no evidence' can then give an answer")
        .risk("none")
        .verify("what this rule reports for the logs of the next run")
        .done();
  }

  private static void because(Draft draft, Facts facts) {
    draft.because(
        "Of %,d requests, %.0f %% have a latency, %.0f %% have a timestamp finer than one second,"
            + " and %.0f %% have S3A's audit header. %,d of %,d lines could not be read. %s.",
        facts.requests(),
        percent(facts.withLatency(), facts.requests()),
        percent(facts.subsecond(), facts.requests()),
        percent(facts.audited(), facts.requests()),
        facts.rejected(),
        facts.records(),
        facts.hasEventLog()
            ? "A Spark event log is among the given logs"
            : "No Spark event log is among the given logs");
  }

  private static boolean isEnough(Facts facts, JobSettings settings) {
    return facts.hasAccessLog() && facts.hasEventLog() && !lacksAudit(facts, settings);
  }

  private static boolean lacksAudit(Facts facts, JobSettings settings) {
    return settings.client() == Client.S3A && facts.hasAccessLog() && facts.audited() == 0;
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
