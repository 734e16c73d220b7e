/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.LogKind;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Says of advice without evidence what the log was that should have had the evidence, if the user
 * gave one: it may be another job's, or of another hour.
 */
final class GivenLogs {
  private final Table sources;
  private final Table app;
  private boolean saidOfEvents;
  private boolean saidOfAccess;

  GivenLogs(Queries queries) throws IOException {
    this.sources = queries.answer("sources");
    this.app = queries.answer("app");
  }

  /** Returns whether the event log has nothing to do with the requests: it is of another time. */
  boolean areApart() {
    return !app.isEmpty() && app.text(0, "joined_by").equals("nothing");
  }

  /** Returns what an event log apart from the requests yields, with a sentence that says so. */
  Advice ofEvents(Advice advice) {
    return advice.verdict() == AdviceVerdict.NO_EVIDENCE
        ? advice
        : advice.because(
            advice.evidence()
                + " This is from the event log of %s alone; the requests are of another job or time."
                    .formatted(Values.visible(app.text(0, "app_id"))));
  }

  /**
   * Returns the advice, with a sentence about each log that it lacks facts of and that is here. Of
   * several, the first has the sentence.
   */
  List<Advice> describe(List<Advice> all) {
    List<Advice> described = new ArrayList<>();
    for (Advice advice : all) {
      StringBuilder text = new StringBuilder(advice.evidence());
      if (advice.lacks().contains(LogKind.EVENT_LOG) && !app.isEmpty() && !saidOfEvents) {
        text.append(eventLog());
        saidOfEvents = true;
      }
      if (advice.lacks().contains(LogKind.ACCESS_LOG) && !saidOfAccess) {
        accessLog(text);
        saidOfAccess = true;
      }
      described.add(
          text.length() == advice.evidence().length() ? advice : advice.because(text.toString()));
    }
    return described;
  }

  private String eventLog() {
    String version = app.text(0, "spark_version");
    return " The event log that you gave does not contain this information. It belongs to the application %s (%s)%s%s."
        .formatted(
            Values.visible(app.text(0, "name")),
            Values.visible(app.text(0, "app_id")),
            version.isEmpty() ? "" : ", Spark " + Values.visible(version),
            app.at(0, "elapsed_ms") == null
                ? ""
                : ", which ran for " + Values.of(Kind.MILLIS, app.at(0, "elapsed_ms")));
  }

  private void accessLog(StringBuilder text) {
    for (int row = 0; row < sources.rows().size(); row++) {
      if (sources.text(row, "source").equals("access_log")) {
        text.append(
            String.format(
                Locale.ROOT,
                " The access log that you gave (%,d %s, from %s to %s UTC) does not contain this"
                    + " information.",
                sources.count(row, "requests"),
                sources.count(row, "requests") == 1 ? "request" : "requests",
                Values.of(Kind.TIME, sources.at(row, "first")),
                Values.of(Kind.TIME, sources.at(row, "last"))));
      }
    }
  }
}
