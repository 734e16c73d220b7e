/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.overview;

import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.logs.LogData;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Explains why the logs contain no requests, and what the user can do. */
final class NoRequests {
  private NoRequests() {}

  /** Returns the schemes of the paths in the plans of all jobs, if none is S3's; else nothing. */
  private static String elsewhere(LogData data) throws IOException {
    Set<String> all = new TreeSet<>();
    List<List<Object>> jobs =
        data.engine()
            .rows(
                "select distinct schemes from spark_apps order by 1", Column.list("schemes text"));
    for (List<Object> job : jobs) {
      if (job.get(0) == null) {
        return "";
      }
      all.addAll(List.of(job.get(0).toString().split(", ")));
    }
    boolean isOfS3 = all.stream().anyMatch(scheme -> scheme.startsWith("s3"));
    return isOfS3 ? "" : String.join(", ", all);
  }

  static String why(LogData data) throws IOException {
    List<Object> all =
        data.engine()
            .rows(
                "select count(*), min(ts_start), max(ts_start) from "
                    + LogData.ALL
                    + " where api <> 'Wait'",
                Column.list("requests count, first time, last time"))
            .get(0);
    long requests = (Long) all.get(0);
    if (requests > 0) {
      return String.format(
          Locale.ROOT,
          "none of the %,d in these logs is looked at: --from, --to, --bucket, --prefix, --who and"
              + " --source leave none of them; they are from %s to %s UTC",
          requests,
          Values.of(Kind.TIME, all.get(1)),
          Values.of(Kind.TIME, all.get(2)));
    }
    Table records = Analyses.run("records", data.engine());
    StringBuilder text = new StringBuilder("none in these logs");
    for (int row = 0; row < Math.min(2, records.rows().size()); row++) {
      text.append(row == 0 ? ": " : "; ")
          .append(
              String.format(
                  Locale.ROOT,
                  "%,d %s (%s)",
                  records.count(row, "records"),
                  records.text(row, "what"),
                  Values.visible(records.text(row, "reason"))));
    }
    String elsewhere = elsewhere(data);
    if (!elsewhere.isEmpty()) {
      return text + "; the plans of the job name paths of " + elsewhere + " only, none of S3";
    }
    return text
        + ". Requests are in S3's server access log, CloudTrail's data events, a driver's or"
        + " executor's log with the SDK's debug lines, and Penstock's request log";
  }
}
