/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import io.penstock.loggen.draw.LineMutation;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.LogForm;
import io.penstock.loggen.plan.LogSetOptions;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.JsonMembers;
import io.penstock.loggen.text.Words;
import java.util.Arrays;
import java.util.Locale;

/** Writes the truth file: the facts that an analysis of the logs has to find. */
final class GroundTruth {
  static final String NAME = "truth.json";

  private static final int[] OVER_MILLIS = {1_000, 5_000, 10_000, 30_000, 60_000};

  private final Plan plan;
  private final WrittenCounts tally;
  private final JsonMembers json = new JsonMembers();

  GroundTruth(Plan plan, WrittenCounts tally) {
    this.plan = plan;
    this.tally = tally;
  }

  String text() {
    json.open('{').newLine();
    options();
    json.newLine();
    totals();
    json.newLine();
    calls();
    json.newLine();
    chains();
    json.newLine();
    prefixes();
    json.newLine();
    seconds();
    json.newLine();
    files();
    return json.newLine().close('}').newLine().toString();
  }

  private void options() {
    LogSetOptions options = plan.options();
    json.put("format", 1).put("scenario", options.scenario().name().toLowerCase(Locale.ROOT));
    if (!plan.isTail()) {
      json.put("run", options.run());
    }
    json.put("seed", options.seed());
    json.put("start", Plan.START.toString());
    json.put("end", Plan.START.plusMillis(tally.lastEndMillis).toString());
    json.put("bucket", JobIdentity.BUCKET);
    json.put("app_id", JobIdentity.applicationId());
  }

  private void totals() {
    long writes = tally.writes();
    json.put("requests", tally.requests()).put("writes", writes);
    json.put("throttled", tally.throttled());
    json.name("throttled_percent_of_writes").raw(percent(tally.throttled(), writes));
    json.name("throttled_percent_of_all").raw(percent(tally.throttled(), tally.requests()));
    json.put("files", plan.files());
    json.name("writes_per_file").raw(hundredths(writes - tally.throttled(), plan.files()));
  }

  private static String percent(long part, long of) {
    return of == 0 ? "0" : String.format(Locale.ROOT, "%.4f", 100.0 * part / of);
  }

  private static String hundredths(long part, long of) {
    return String.format(Locale.ROOT, "%.4f", (double) part / of);
  }

  private void calls() {
    json.object("apis");
    for (Call call : Call.values()) {
      if (tally.requests(call) == 0) {
        continue;
      }
      json.newLine().object(call.operation().apiName());
      json.put("operation", call.operation().logName());
      json.put("requests", tally.requests(call)).put("throttled", tally.throttled(call));
      json.put("succeeded", tally.requests(call) - tally.throttled(call));
      for (int millis : OVER_MILLIS) {
        json.put("over_" + millis / 1_000 + "s", tally.over(call, millis));
      }
      json.put("p25_ms", tally.quantile(call, 0.25)).put("p50_ms", tally.quantile(call, 0.5));
      json.put("p95_ms", tally.quantile(call, 0.95)).put("p99_ms", tally.quantile(call, 0.99));
      json.close('}');
    }
    json.close('}');
  }

  /** Writes the facts about repeated write requests. */
  private void chains() {
    json.object("chains");
    json.put("chains", tally.attempts.values().stream().mapToLong(Long::longValue).sum());
    json.put("overlapping_attempts", tally.overlaps);
    json.object("by_attempts");
    tally.attempts.forEach((tries, n) -> json.put(Integer.toString(tries), n));
    json.close('}').close('}');
  }

  private void prefixes() {
    json.array("prefixes");
    int prefixes = plan.options().prefixes();
    for (int prefix = 0; prefix < prefixes; prefix++) {
      json.newLine().open('{').put("prefix", Words.directory(prefix, prefixes));
      json.put("writes", tally.prefixRequests[prefix]);
      json.put("throttled", tally.prefixThrottled[prefix]).close('}');
    }
    json.close(']');
  }

  private void seconds() {
    busiest("busiest_second", tally.perSecond);
    busiest("most_throttled_second", tally.throttledPerSecond);
    long with = Arrays.stream(tally.throttledPerSecond).filter(n -> n > 0).count();
    json.put("seconds_with_throttles", with);
  }

  private void busiest(String name, int[] perSecond) {
    int found = 0;
    for (int second = 1; second < perSecond.length; second++) {
      found = perSecond[second] > perSecond[found] ? second : found;
    }
    json.object(name).put("time", Plan.START.plusSeconds(found).toString());
    json.put("requests", perSecond[found]).close('}');
  }

  private void files() {
    if (plan.options().formats().contains(LogForm.ACCESS_LOG)) {
      json.object("access_log").put("files", tally.accessFiles).put("bytes", tally.accessBytes);
      json.put("lines", tally.lines).put("late_lines", tally.lateLines);
      json.put("duplicates", tally.oddities.getOrDefault(LineMutation.DUPLICATE, 0L));
      json.put("files_without_final_newline", tally.hasNoFinalNewline ? 1 : 0);
      json.object("odd_lines");
      tally.oddities.forEach((odd, n) -> json.put(odd.name().toLowerCase(Locale.ROOT), n));
      json.close('}').close('}').newLine();
    }
    if (plan.options().formats().contains(LogForm.CLOUDTRAIL)) {
      json.object("cloudtrail").put("files", tally.trailFiles).put("bytes", tally.trailBytes);
      json.put("events", tally.events).close('}').newLine();
    }
    if (plan.options().formats().contains(LogForm.EVENT_LOG)) {
      json.object("event_log").put("tasks", plan.tasks());
      json.put("executors", Math.min(TaskPlacement.NODES, plan.tasks())).close('}').newLine();
    }
  }
}
