/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Optional;

/** Rule R6: finds timeouts that have no effect because they are set in the wrong place. */
public final class TimeoutPlace extends Rule {

  public TimeoutPlace() {
    super(
        new Label("R6", "timeout-place", "set the timeout where it takes effect"),
        "the source of hadoop-aws 3.4.2; HADOOP-19295, HADOOP-16792",
        List.of("settings", "tail", "agents"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    Table tail = evidence.table("tail");
    double transfer = 0;
    for (int row = 0; row < tail.rows().size(); row++) {
      double bandwidth = tail.number(row, "slow_bandwidth");
      boolean isUpload = tail.text(row, "api").equals("UploadPart");
      if (isUpload && bandwidth > 0) {
        transfer = Math.max(transfer, tail.count(row, "large_size") / bandwidth);
      }
    }
    return judge(TimeoutSettings.of(evidence.settings()), transfer);
  }

  /**
   * Returns the advice for these timeouts.
   *
   * @param transferSeconds the time of a large part on a slow connection; 0 if it is not known
   */
  Optional<Advice> judge(TimeoutSettings timeouts, double transferSeconds) {
    if (timeouts.client() != Client.S3A) {
      return Optional.empty();
    }
    if (timeouts.hadoop().isEmpty()) {
      return lacking(LogKind.EVENT_LOG, LogKind.ACCESS_LOG)
          .because(
              "These logs do not contain Hadoop's version. A Spark event log contains it, and so"
                  + " does the user agent in an S3 server access log. You can also set the version"
                  + " with --hadoop.")
          .done();
    }
    String hadoop = timeouts.hadoop().get().toString();
    if (!timeouts.hasRequestTimeout()) {
      return dont()
          .because("S3A of Hadoop %s has no request timeout; setting one has no effect.", hadoop)
          .effect(Confidence.HIGH, 0, "none before Hadoop 3.3")
          .done();
    }
    if (timeouts.hasUploadTimeout()) {
      return separate(timeouts, hadoop, transferSeconds);
    }
    return joint(timeouts, hadoop, transferSeconds);
  }

  private Optional<Advice> separate(
      TimeoutSettings timeouts, String hadoop, double transferSeconds) {
    boolean isMisplaced =
        timeouts
                .requestMillis()
                .map(ms -> ms > 0 && ms < Limits.S3A_REQUEST_TIMEOUT_S * 1_000L)
                .orElse(false)
            && timeouts.uploadTimeout().isEmpty();
    long set = timeouts.requestMillis().orElse(0L) / 1000;
    boolean isKnown = transferSeconds > 0;
    AdviceVerdict due = isKnown ? AdviceVerdict.DO : AdviceVerdict.BENCHMARK;
    Draft draft = draft(isMisplaced ? due : AdviceVerdict.DONT);
    if (!isMisplaced) {
      return draft
          .because(
              "In Hadoop %s, %s (now %s) limits uploads, and %s (now %s, at least 15 s) limits all"
                  + " other requests. No timeout is set in the wrong place.",
              hadoop,
              TimeoutSettings.UPLOAD,
              timeouts.uploadTimeout().orElse("15m, default"),
              TimeoutSettings.REQUEST,
              timeouts.requestTimeout().orElse("60s, default"))
          .leave(Confidence.HIGH);
    }
    draft
        .because(
            "%s is %s, but in Hadoop %s it does not apply to uploads. The timeout of uploads is 15"
                + " min.",
            TimeoutSettings.REQUEST, timeouts.requestTimeout().orElse(""), hadoop)
        .because(
            isKnown
                ? "A large part on a slow connection takes %.0f s or more."
                : "These logs do not show how long a part takes on a slow connection.",
            transferSeconds)
        .change(
            Target.HADOOP,
            TimeoutSettings.UPLOAD,
            "15m (default)",
            Math.max(
                    Math.max(set, Limits.UPLOAD_TIMEOUT_MIN_S),
                    (long) Math.ceil(transferSeconds) + Limits.TRANSFER_EXTRA_S)
                + "s");
    if (set < Limits.S3A_REQUEST_TIMEOUT_MIN_S) {
      draft.because("The request timeout is also below S3A's minimum, so S3A raises it to 15 s.");
    }
    return draft
        .effect(Confidence.MEDIUM, 0, "the intended timeout takes effect")
        .risk("a part that takes longer than its timeout is repeated forever")
        .verify("requests over the timeout")
        .done();
  }

  private Optional<Advice> joint(TimeoutSettings timeouts, String hadoop, double transferSeconds) {
    double limit =
        timeouts
                .requestMillis()
                .orElse(timeouts.isOnByDefault() ? Limits.S3A_REQUEST_TIMEOUT_S * 1_000L : 0L)
            / 1000.0;
    double needed = transferSeconds + Limits.TRANSFER_EXTRA_S;
    boolean isShort = limit > 0 && transferSeconds > 0 && needed > limit;
    Draft draft = doIf(isShort);
    draft.because(
        "In Hadoop %s, %s (now %s) also limits uploads.",
        hadoop,
        TimeoutSettings.REQUEST,
        timeouts.requestTimeout().orElse(timeouts.defaultOfRequest()));
    if (!isShort) {
      return draft.leave(Confidence.HIGH);
    }
    return draft
        .because("A large part on a slow connection takes %.0f s or more.", transferSeconds)
        .change(
            Target.HADOOP,
            TimeoutSettings.REQUEST,
            timeouts.requestTimeout().orElse(timeouts.defaultOfRequest()),
            (long) Math.ceil(needed) + "s")
        .effect(
            Confidence.HIGH, 0, "uploads that the timeout has so far ended and repeated can finish")
        .risk(
            "the longer timeout also applies to requests other than uploads; Hadoop 3.4.1 and later"
                + " have a separate setting for uploads")
        .verify("attempts per UploadPart")
        .done();
  }
}
