/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.timeout;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.LatencyHistogram;
import io.penstock.analyze.advice.whatif.Waiting;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Rule R5: finds attempts that take many times longer than others, while a second attempt would be
 * fast.
 */
public final class SlowTail extends Rule {

  private static final Set<String> REPEATABLE =
      Set.of("UploadPart", "PutObject", "GetObject", "HeadObject");

  /**
   * The operations that may rightly take long in S3. A timeout that applies to all requests must
   * leave enough time for them.
   */
  private static final Set<String> LONG =
      Set.of("CompleteMultipartUpload", "CopyObject", "UploadPartCopy");

  public SlowTail() {
    super(
        new Label("R5", "slow-attempts", "time out or hedge slow attempts"),
        "AWS whitepaper on timeouts and retries for latency-sensitive applications; published"
            + " latencies of 10,208,803 part uploads",
        List.of("latencies", "tail", "agents", "waiting"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    String waiting =
        new Waiting(evidence.table("waiting"))
            .sentence(Waiting.Cause.STRAGGLERS, evidence.options().prices());
    return judge(
        groups(evidence), TimeoutSettings.of(evidence.settings()), longest(evidence), waiting);
  }

  /**
   * Returns the seconds that a timeout must leave for the operations that may rightly take long in
   * S3; 0 if there are none.
   */
  private static int longest(Evidence evidence) {
    Table tail = evidence.table("tail");
    double longest = 0;
    for (int row = 0; row < tail.rows().size(); row++) {
      if (LONG.contains(tail.text(row, "api"))) {
        longest = Math.max(longest, tail.number(row, "max_ms"));
      }
    }
    return longest == 0 ? 0 : (int) Math.ceil(longest / 1000) + Limits.TRANSFER_EXTRA_S;
  }

  /**
   * Returns the latencies of the requests that may be cut and repeated. Copies and completions of
   * uploads are left out: S3 works on the object by itself, so their time grows with the object and
   * may rightly be long, and a repeated one may find that the first one took effect.
   */
  private static List<Timeout.Group> groups(Evidence evidence) {
    Table tail = evidence.table("tail");
    List<Timeout.Group> groups = new ArrayList<>();
    for (int row = 0; row < tail.rows().size(); row++) {
      String api = tail.text(row, "api");
      String size = tail.text(row, "size_class");
      if (!REPEATABLE.contains(api)) {
        continue;
      }
      groups.add(
          new Timeout.Group(
              api,
              size,
              tail.count(row, "requests"),
              tail.number(row, "p50_ms"),
              tail.number(row, "p99_ms"),
              tail.count(row, "large_size"),
              tail.number(row, "slow_bandwidth"),
              LatencyHistogram.of(evidence.table("latencies"), api::equals, size::equals)));
    }
    return groups;
  }

  /**
   * Returns the advice for these groups.
   *
   * @param longest the seconds that a timeout for all requests must allow for copies and
   *     completions
   */
  Optional<Advice> judge(List<Timeout.Group> groups, TimeoutSettings timeouts, int longest) {
    return judge(groups, timeouts, longest, "");
  }

  /**
   * @param waiting a sentence about the cost of all stragglers; empty if there is nothing to say
   */
  private Optional<Advice> judge(
      List<Timeout.Group> groups, TimeoutSettings timeouts, int longest, String waiting) {
    if (groups.isEmpty()) {
      return lacking(
          LogKind.ACCESS_LOG,
          "These logs have no latencies of part uploads, PUTs or reads. An S3 server access log has"
              + " them, in milliseconds; CloudTrail has no latencies.");
    }
    Optional<Timeout.Group> ended =
        worst(
            groups.stream()
                .filter(group -> Timeout.choose(group).isPresent())
                .filter(group -> timeouts.endsSlowOf(group, groups, longest))
                .toList(),
            group -> timeouts.secondsFor(group, groups, longest));
    Optional<Timeout.Group> slow =
        worst(
            groups.stream().filter(group -> Timeout.choose(group).isPresent()).toList(),
            group -> Timeout.choose(group).orElseThrow());
    return ended
        .or(() -> slow)
        .map(worst -> advise(groups, worst, timeouts, longest, waiting))
        .orElseGet(() -> leave(groups.get(0)));
  }

  /** Returns the group for which a timeout would save most, if it saves any time. */
  private static Optional<Timeout.Group> worst(
      List<Timeout.Group> groups, ToIntFunction<Timeout.Group> timeout) {
    return groups.stream()
        .filter(group -> saved(group, timeout) > 0)
        .max(Comparator.comparingDouble(group -> saved(group, timeout)));
  }

  private static double saved(Timeout.Group group, ToIntFunction<Timeout.Group> timeout) {
    return group.latencies().savedByAbort(timeout.applyAsInt(group));
  }

  private Optional<Advice> leave(Timeout.Group group) {
    int last = Limits.TIMEOUT_MAX_S;
    Draft draft =
        draft(
            group.requests() < Limits.TAIL_REQUESTS_MIN
                ? AdviceVerdict.NO_EVIDENCE
                : AdviceVerdict.DONT);
    draft.because(
        "%,d of %,d %s requests (%s) took more than %d s. The median is %.0f ms, and the p99 is"
            + " %.0f ms.",
        group.latencies().over(last),
        group.requests(),
        group.api(),
        group.sizeClass(),
        last,
        group.medianMs(),
        group.p99Ms());
    if (group.requests() < Limits.TAIL_REQUESTS_MIN) {
      return draft
          .because(
              "The logs have too few such requests to find one slow request in 10,000. Give more"
                  + " logs of the job.")
          .done();
    }
    return draft
        .because(
            "Each timeout from 2 to 10 s would either save no time, or repeat more than 0.5 %% of"
                + " the requests.")
        .leave(Confidence.MEDIUM);
  }

  private Optional<Advice> advise(
      List<Timeout.Group> groups,
      Timeout.Group worst,
      TimeoutSettings timeouts,
      int longest,
      String waiting) {
    LatencyHistogram seen = worst.latencies();
    boolean isDone = timeouts.areHedged();
    List<Change> changes = isDone ? List.of() : timeouts.changes(groups, longest);
    int wanted = Timeout.choose(worst).orElseThrow();
    int set = timeouts.secondsFor(worst, groups, longest);
    boolean isEnded = !isDone && timeouts.endsSlowOf(worst, groups, longest);
    int seconds = isEnded ? set : wanted;
    Draft draft = doIf(isEnded);
    draft.because(
        "%,d of %,d %s requests (%s) took more than %d s: %.2f %%, or one in %,d. The median is"
            + " %.0f ms.",
        seen.over(seconds),
        worst.requests(),
        worst.api(),
        worst.sizeClass(),
        seconds,
        worst.extraPercent(seconds),
        worst.requests() / Math.max(1, seen.over(seconds)),
        worst.medianMs());
    if (!waiting.isEmpty()) {
      draft.because("All stragglers: %s", waiting);
    }
    if (isDone) {
      return draft
          .because("Penstock hedges such requests, and ends attempts that are even slower.")
          .effect(Confidence.HIGH, 0, "none: it is done")
          .done("docs/retries.md#slow-requests-hedges-and-deadlines");
    }
    if (!isEnded && !timeouts.wouldShorten(worst, set)) {
      return draft
          .because(
              "A timeout of %d s is the shortest that suits all requests to which the timeout"
                  + " setting applies%s; the setting is now %s.",
              set,
              !timeouts.hasOwn(worst) && set > wanted && longest > wanted
                  ? ", including object copies and the completion of uploads"
                  : "",
              timeouts.now(worst))
          .leave(Confidence.MEDIUM);
    }
    if (!isEnded) {
      return draft
          .because(
              "None of these requests took more than %d s. A shorter timeout would not suit all"
                  + " requests to which the timeout setting applies, so no suitable timeout would"
                  + " end any of these requests.",
              set)
          .effect(
              Confidence.MEDIUM, 0, "none; hedging needs no timeout (Penstock hedges by default)")
          .done();
    }
    return draft
        .changes(changes)
        .effect(
            Confidence.MEDIUM,
            100 * seen.savedByAbort(seconds) / (seen.meanSeconds() * worst.requests()),
            "a timeout of %d s would repeat %.2f %% of the requests, and save %,.0f of the %,.0f s"
                + " that the repeated requests took (%.0f %%); hedging would save %,.0f s.",
            seconds,
            worst.extraPercent(seconds),
            seen.savedByAbort(seconds),
            seen.secondsOver(seconds),
            100 * seen.savedByAbort(seconds) / seen.secondsOver(seconds),
            seen.savedByRace(seconds))
        .risk(
            "A request becomes slower if the timeout ends it just before its answer. In published"
                + " latencies of part uploads, this would happen to 777 of 26,640 slow requests. A"
                + " timeout shorter than a normal transfer repeats the transfer forever. Try the"
                + " timeout on one job first: S3A of Hadoop 3.4.1 could hang after timeouts"
                + " (HADOOP-19479).")
        .verify("requests over %d s, p99.9, and the slowest task of the writing stage", seconds)
        .done();
  }
}
