/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
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
import java.util.List;
import java.util.Optional;

/** Rule R16: finds jobs that send many lists and HEADs compared with their reads of files. */
public final class Metadata extends Rule {

  /** The requests that read, by the kind of request. */
  record Facts(long lists, long heads, long gets, long objectHeads, long headKeys) {
    static Facts of(Evidence evidence) {
      Table calls = evidence.table("calls");
      long lists = 0;
      long heads = 0;
      long gets = 0;
      for (int row = 0; row < calls.rows().size(); row++) {
        long count = calls.count(row, "requests");
        String api = calls.text(row, "api");
        lists += calls.text(row, "class").equals("L") ? count : 0;
        heads += api.startsWith("Head") ? count : 0;
        gets += api.equals("GetObject") ? count : 0;
      }
      Table keys = evidence.table("heads");
      return new Facts(lists, heads, gets, keys.count(0, "heads"), keys.count(0, "keys"));
    }

    double share() {
      return (double) (lists + heads) / Math.max(1, gets);
    }

    double headsPerKey() {
      return (double) objectHeads / Math.max(1, headKeys);
    }
  }

  public Metadata() {
    super(
        new Label("R16", "lists-and-heads", "fewer lists and HEADs"),
        "Spark SQL performance tuning; the limits are Penstock's own",
        List.of("calls", "heads"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence));
  }

  Optional<Advice> judge(Facts facts) {
    if (facts.lists() + facts.heads() + facts.gets() == 0) {
      return lacking(
          LogKind.ACCESS_LOG,
          "These logs have no read requests. The reads are in the S3 server access log of the"
              + " bucket that the job reads.");
    }
    boolean reads = facts.gets() > 0;
    boolean isMuch =
        facts.lists() + facts.heads() >= Limits.METADATA_MIN
            && ((reads && facts.share() > Limits.METADATA_SHARE)
                || facts.headsPerKey() >= Limits.HEADS_A_KEY);
    Draft draft = doIf(isMuch);
    draft.because(
        "The logs show %s and %s for %s%s, and %.1f HEADs per key.",
        Counted.of(facts.lists(), "list"),
        Counted.of(facts.heads(), "HEAD"),
        reads ? Counted.of(facts.gets(), "GET") : "no GET",
        reads ? ": %.2f lists and HEADs per GET".formatted(facts.share()) : "",
        facts.headsPerKey());
    if (!isMuch) {
      return draft.leave(Confidence.LOW);
    }
    return draft
        .change(
            Target.CODE,
            "how the table is read",
            reads
                ? "%.2f lists and HEADs per GET".formatted(facts.share())
                : "%.1f HEADs per key".formatted(facts.headsPerKey()),
            "filter on partition columns, reuse one DataFrame for each table, merge small files")
        .effect(Confidence.LOW, 0, "less waiting before the first task of a query")
        .risk("none")
        .verify("ListObjects and HeadObject requests")
        .done();
  }
}
