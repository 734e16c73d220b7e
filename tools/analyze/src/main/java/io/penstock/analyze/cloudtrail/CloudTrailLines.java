/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.json.FieldScanner;
import java.util.Optional;

/** CloudTrail's events in the form of exports: one event on each line. */
public final class CloudTrailLines implements LogFormat {
  private static final Verdict NOT_JSON = Verdict.rejected("it is not JSON");
  private static final Verdict CUT_OFF = Verdict.rejected("it is cut off");
  private static final Verdict MORE = Verdict.rejected("there is more behind its end");

  @Override
  public String title() {
    return "CloudTrail (lines)";
  }

  @Override
  public boolean matches(Head head) {
    return head.lines(1).stream().anyMatch(line -> line.startsWith("{\""))
        && isEvent(head)
        && !new CloudTrailFiles().matches(head);
  }

  /**
   * Returns true if the text looks like an event. S3's notifications have events and records too,
   * but no {@code eventID}.
   */
  static boolean isEvent(Head head) {
    return head.text().contains("\"eventSource\"")
        && head.text().contains("\"eventName\"")
        && head.text().contains("\"eventID\"");
  }

  @Override
  public Optional<LineParser> lines() {
    return Optional.of(new Parser());
  }

  /** Parses lines with one event each. */
  private static final class Parser implements LineParser {
    private final FieldScanner event = new FieldScanner(TrailEvent.TREE);

    @Override
    public Verdict parse(byte[] text, int start, int end, RequestRow row) {
      int until = event.scan(text, start, end);
      if (until < 0) {
        return until == FieldScanner.SHORT ? CUT_OFF : NOT_JSON;
      }
      for (int i = until; i < end; i++) {
        if (text[i] != ' ' && text[i] != '\r' && text[i] != '\t') {
          return MORE;
        }
      }
      return EventReader.read(event, row);
    }
  }
}
