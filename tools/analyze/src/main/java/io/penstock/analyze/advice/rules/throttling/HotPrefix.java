/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Counted;
import io.penstock.tables.format.Values;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rule R4: finds a prefix with most of the throttled requests. S3 splits load by prefixes. */
public final class HotPrefix extends Rule {

  /**
   * The deepest prefix that has most of the throttled requests.
   *
   * @param what writes, reads or deletes, of which most were throttled; the rates are theirs
   * @param throttledPercent of these
   * @param sharePercent of all throttled requests
   * @param children the number of directories directly below it that have throttled requests
   * @param sharer who sent most requests in seconds with throttled answers; empty if not known
   * @param sharerPercent of these requests
   */
  record Facts(
      String what,
      long throttled,
      double throttledPercent,
      double sharePercent,
      String prefix,
      int children,
      double peak,
      double capacity,
      String sharer,
      double sharerPercent) {
    Facts withoutSharer() {
      return new Facts(
          what, throttled, throttledPercent, sharePercent, prefix, children, peak, capacity, "", 0);
    }

    static Facts of(Evidence evidence) {
      Table load = evidence.table("load");
      Table prefixes = evidence.table("prefixes");
      double seen = prefixes.sum("throttled");
      PrefixSearch.Found found = PrefixSearch.search(prefixes, Limits.HOT_PREFIX_PERCENT / 100);
      String what =
          Stream.of("writes", "reads", "deletes")
              .max(Comparator.comparingLong(kind -> load.count(0, "throttled_" + kind)))
              .orElseThrow();
      long throttled = load.count(0, "throttled_" + what);
      return new Facts(
          what,
          load.count(0, "throttled"),
          throttled == 0 ? 0 : 100.0 * throttled / load.count(0, what),
          seen == 0 ? 0 : 100.0 * found.throttled() / seen,
          found.prefix(),
          found.children(),
          load.number(0, "peak_" + what),
          load.number(0, "capacity_" + what),
          most(evidence.table("sharers")),
          percentOfMost(evidence.table("sharers")));
    }
  }

  private static String most(Table sharers) {
    String who = sharers.isEmpty() ? "" : sharers.text(0, "who");
    return who.equals(Load.UNKNOWN) ? "" : Values.visible(who);
  }

  private static double percentOfMost(Table sharers) {
    double all = sharers.sum("in_throttled_seconds");
    return all == 0 ? 0 : 100.0 * sharers.count(0, "in_throttled_seconds") / all;
  }

  public HotPrefix() {
    super(
        new Label("R4", "hot-prefix", "spread a hot prefix"),
        "AWS S3 user guide, optimizing performance: 3,500 writes/s and 5,500 reads/s a prefix",
        List.of("prefixes", "load", "sharers"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    if (evidence.table("load").count(0, "requests") == 0) {
      return lacking(
          LogKind.ACCESS_LOG,
          "There are no requests in these logs. An S3 server access log has them.");
    }
    Facts facts = Facts.of(evidence);
    // Of the job's own requests alone, the share says nothing.
    return judge(evidence.options().own().isPresent() ? facts.withoutSharer() : facts);
  }

  Optional<Advice> judge(Facts facts) {
    if (facts.throttled() == 0) {
      return dont().because("No request was throttled.").leave(Confidence.HIGH);
    }
    if (facts.throttledPercent() <= Limits.THROTTLED_PERCENT) {
      return draft(facts, AdviceVerdict.DONT)
          .because("The throttled share is too small to justify another layout of the keys.")
          .leave(Confidence.HIGH);
    }
    if (facts.prefix().isEmpty()) {
      return dont()
          .because(
              "The records of the throttled %s name no key, so they say nothing of prefixes.",
              facts.what())
          .leave(Confidence.HIGH);
    }
    double limit = facts.what().equals("reads") ? Limits.PREFIX_READS : Limits.PREFIX_WRITES;
    if (facts.peak() < Limits.LIMIT_SHARE_MIN * limit) {
      return draft(facts, AdviceVerdict.DONT)
          .because(
              "Amazon S3 takes %,.0f %s a second of a prefix, which is far more. So these logs have"
                  + " a part of the load only, or the store is another one, with limits of its own:"
                  + " another layout of the keys would change neither.",
              limit, facts.what())
          .leave(Confidence.MEDIUM);
    }
    boolean isHot = facts.sharePercent() >= Limits.HOT_PREFIX_PERCENT;
    boolean isOver = facts.peak() > facts.capacity();
    Draft draft = draft(facts, isHot && isOver ? AdviceVerdict.DO : AdviceVerdict.DONT);
    if (!isHot || !isOver) {
      return draft
          .because(
              isHot
                  ? "The prefix was not overloaded."
                  : "The load is already spread over several prefixes.")
          .leave(Confidence.MEDIUM);
    }
    return draft
        .because(
            facts.children() > 1
                ? "%d directories directly below this prefix were throttled. S3 can split the"
                    + " prefix between these directories; a split takes minutes."
                : "S3 cannot split this prefix between directories, because at most one directory"
                    + " directly below it was throttled.",
            facts.children())
        .change(
            Target.CODE,
            "keys below " + facts.prefix(),
            facts.children() > 1 ? "%d directories".formatted(facts.children()) : "one directory",
            facts.children() > 1
                ? "raise the request rate slowly, over minutes; or ask AWS to split the prefix"
                    + " before a large run"
                : "vary the characters right after the prefix: by a partition column, a hash, or"
                    + " Iceberg's object store layout")
        .effect(Confidence.MEDIUM, 0, "S3's capacity grows with each prefix that it splits off")
        .risk(
            "programs that list the old layout must be changed; S3 needs minutes to split a prefix")
        .verify(
            "throttled share of writes; number of requests a second that S3 accepts while it"
                + " throttles")
        .done();
  }

  private Draft draft(Facts facts, AdviceVerdict verdict) {
    return draft(verdict)
        .because(
            "The prefix %s got %.0f %% of %s. In all, %.2f %% of the %s were throttled: at the"
                + " peak, clients sent %,.0f per second; while S3 throttled, it accepted %,.0f per"
                + " second.",
            facts.prefix(),
            facts.sharePercent(),
            Counted.of(facts.throttled(), "throttled answer"),
            facts.throttledPercent(),
            facts.what(),
            facts.peak(),
            facts.capacity())
        .note(
            facts.sharer().isEmpty()
                ? ""
                : "%s sent %.0f %% of the requests in the seconds with throttled answers."
                    .formatted(facts.sharer(), facts.sharerPercent()));
  }
}
