/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Rule R25: deletions that S3 throttled, key by key or many at once. */
public final class ThrottledDeletes extends Rule {
  private static final String BULK = "fs.s3a.multiobjectdelete.enable";
  private static final String PAGE = "fs.s3a.bulk.delete.page.size";

  /** The requests of one call that deletes. */
  record Calls(long requests, long throttled) {
    double percent() {
      return requests == 0 ? 0 : 100.0 * throttled / requests;
    }
  }

  public ThrottledDeletes() {
    super(
        new Label("R25", "throttled-deletes", "delete in fewer or smaller requests"),
        "AWS S3 user guide, performance: each key that is deleted counts as a write;"
            + " core-default.xml of Hadoop 3.4 (250 keys a request)",
        List.of("calls"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    Table calls = evidence.table("calls");
    return judge(of(calls, "DeleteObject"), of(calls, "DeleteObjects"), evidence.settings());
  }

  private static Calls of(Table calls, String api) {
    OptionalInt row = calls.find("api", api);
    return row.isEmpty()
        ? new Calls(0, 0)
        : new Calls(
            calls.count(row.getAsInt(), "requests"), calls.count(row.getAsInt(), "throttled"));
  }

  private static Change smallerPages(JobSettings settings) {
    return settings.client() == Client.S3A
        ? settings.change(Target.HADOOP, PAGE, "250", Limits.DELETE_PAGE)
        : new Change(Target.CODE, "keys of a DeleteObjects request", "", Limits.DELETE_PAGE);
  }

  Optional<Advice> judge(Calls single, Calls bulk, JobSettings settings) {
    boolean isBulk = bulk.throttled() >= single.throttled();
    Calls worse = isBulk ? bulk : single;
    if (worse.throttled() < Limits.THROTTLED_DELETES_MIN
        || worse.percent() <= Limits.THROTTLED_PERCENT
        || settings.client() == Client.PENSTOCK) {
      return Optional.empty();
    }
    Draft draft =
        draft(AdviceVerdict.DO)
            .because(
                "S3 throttled %s of %s deletions of %s (%.1f %%).",
                String.format(Locale.ROOT, "%,d", worse.throttled()),
                String.format(Locale.ROOT, "%,d", worse.requests()),
                isBulk ? "many keys each" : "one key each",
                worse.percent());
    if (isBulk) {
      draft
          .because(
              "Each key counts as a write, so a request of 1,000 keys takes a good part of what a"
                  + " prefix takes in a second.")
          .change(smallerPages(settings))
          .risk("more requests");
    } else {
      draft
          .because("One request can delete up to 1,000 keys.")
          .change(
              Target.CODE,
              "how objects are deleted",
              "one request a key",
              "DeleteObjects of up to 1,000 keys; in S3A, "
                  + BULK
                  + " must be true, as it is by"
                  + " default")
          .risk("none");
    }
    return draft
        .effect(
            Confidence.LOW,
            0,
            "fewer deletions are throttled; Penstock paces them by their keys without a setting")
        .verify("throttled share of the deletes (penstock analyze --tables operations)")
        .done();
  }
}
