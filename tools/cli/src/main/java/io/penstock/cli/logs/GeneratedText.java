/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.logs;

import io.penstock.cli.print.Wrapped;
import io.penstock.loggen.GeneratedLogs;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Formats the summary of {@code penstock logs generate}. */
final class GeneratedText {
  private GeneratedText() {}

  static String of(GeneratedLogs logs, Path directory) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "%s requests in %d s from %s: %s files written, %s requests throttled (%s of the writes,"
            + " %s of all)",
        Values.count(logs.requests()),
        Duration.between(logs.start(), logs.end()).toSeconds(),
        logs.start(),
        Values.count(logs.files()),
        Values.count(logs.throttled()),
        percent(logs.throttled(), logs.writes()),
        percent(logs.throttled(), logs.requests()));
    text.append('\n').append(table(logs)).append('\n');
    text.append(directory).append('\n');
    if (logs.accessFiles() > 0) {
      line(
          text,
          "  access-log/  %s lines in %s files, %s; %s of them odd",
          Values.count(logs.lines()),
          Values.count(logs.accessFiles()),
          Values.bytes(logs.accessBytes()),
          Values.count(logs.oddLines()));
    }
    if (logs.trailFiles() > 0) {
      line(
          text,
          "  cloudtrail/  %s events in %s files, %s",
          Values.count(logs.events()),
          Values.count(logs.trailFiles()),
          Values.bytes(logs.trailBytes()));
    }
    if (logs.eventLogBytes() > 0) {
      line(
          text,
          "  event-log/   %s tasks, %s",
          Values.count(logs.tasks()),
          Values.bytes(logs.eventLogBytes()));
    }
    text.append("  truth.json   what an analysis has to find\n\nNow: penstock analyze ");
    return text.append(directory).append('\n').toString();
  }

  private static String table(GeneratedLogs logs) {
    AlignedRows table = new AlignedRows("request", "requests", "throttled", "%");
    logs.requestsByApi()
        .forEach(
            (api, requests) -> {
              long throttled = logs.throttledByApi().get(api);
              String share = throttled == 0 ? "" : percent(throttled, requests);
              table.row(api, Values.count(requests), Values.count(throttled), share);
            });
    return table.toString();
  }

  private static String percent(long part, long of) {
    return String.format(Locale.ROOT, "%.2f %%", of == 0 ? 0 : 100.0 * part / of);
  }

  /** Appends text and breaks it at spaces so that each line fits a terminal. */
  private static void line(StringBuilder text, String format, Object... values) {
    String all = String.format(Locale.ROOT, format, values);
    String indent = all.startsWith(" ") ? "  " : "";
    String further = all.startsWith(" ") ? " ".repeat(15) : "";
    text.append(Wrapped.text(indent, further, all.strip()));
  }
}
