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
import java.util.regex.Pattern;

/** Rule R19: finds requests from another region, or requests that all come through one address. */
public final class RequestPath extends Rule {

  /** The facts about the origins of requests. */
  record Facts(
      long requests, long addresses, String address, long foreign, String region, int hosts) {
    static Facts of(Evidence evidence) {
      Table places = evidence.table("places");
      Table executors = evidence.table("executors");
      long hosts =
          executors.rows().stream()
              .map(row -> row.get(executors.indexOf("host")))
              .distinct()
              .count();
      return new Facts(
          places.count(0, "requests"),
          places.count(0, "addresses"),
          places.text(0, "an_address"),
          places.count(0, "foreign_requests"),
          places.text(0, "a_region"),
          (int) hosts);
    }
  }

  private static final Pattern PRIVATE =
      Pattern.compile("^(?:10\\.|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|f[cd])");

  public RequestPath() {
    super(
        new Label("R19", "network-path", "the way to the bucket"),
        "AWS VPC user guide, gateway endpoints; AWS S3 user guide, LogFormat (source region)",
        List.of("places", "executors"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    return judge(Facts.of(evidence));
  }

  Optional<Advice> judge(Facts facts) {
    if (facts.requests() == 0) {
      return lacking(
          LogKind.ACCESS_LOG,
          "These logs have no client addresses. An S3 server access log or CloudTrail has"
              + " them.");
    }
    boolean isForeign = facts.foreign() > 0;
    // S3 sees a private address only of what comes by an endpoint in the VPC.
    boolean isPrivate = PRIVATE.matcher(facts.address()).find();
    boolean isOneWay = facts.addresses() == 1 && facts.hosts() > 1 && !isPrivate;
    Draft draft = doIf(isForeign || isOneWay);
    draft.because(
        "%s came from %s.",
        Counted.of(facts.requests(), "request"),
        Counted.of(facts.addresses(), "address", "addresses"));
    if (facts.hosts() > 0) {
      draft.because(
          "According to the event log, the executors ran on %s.",
          Counted.of(facts.hosts(), "host"));
    }
    if (isForeign) {
      draft
          .because(
              "%s came from the region %s, which is not the bucket's region.",
              Counted.of(facts.foreign(), "request"), facts.region())
          .change(
              Target.OUTSIDE,
              "region of the job",
              facts.region(),
              "the bucket's region; or keep a replica of the bucket in the job's region");
    }
    if (isOneWay) {
      draft
          .because(
              "All requests came from the address %s, which is usual behind a NAT gateway or a"
                  + " proxy.",
              facts.address())
          .change(
              Target.OUTSIDE,
              "route to S3",
              "through " + facts.address(),
              "a gateway endpoint for S3 in the VPC");
    }
    if (!isForeign && !isOneWay) {
      return draft.leave(Confidence.MEDIUM);
    }
    return draft
        .effect(
            Confidence.MEDIUM,
            isForeign ? Limits.REGION_GAIN_PERCENT : Limits.ROUTE_GAIN_PERCENT,
            "lower latency, no charge for the transfer")
        .risk("none for a gateway endpoint; it is free")
        .verify("client addresses, time to the first byte")
        .done();
  }
}
