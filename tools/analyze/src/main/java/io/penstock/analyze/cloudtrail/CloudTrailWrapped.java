/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CloudTrail's data events inside of something else: what CloudWatch Logs delivers to subscribers,
 * exports to S3 and answers to queries (JSON and CSV), and what EventBridge sends.
 */
public final class CloudTrailWrapped implements LogFormat {
  private static final Pattern EVENT =
      Pattern.compile(
          "\\{(?:\\s|\\\\[nrt])*(\\\\{0,7}\"{1,2})" + WrappedEvents.FIRST_NAME + "\\\\{0,7}\"");

  @Override
  public String title() {
    return "CloudTrail (wrapped)";
  }

  @Override
  public boolean matches(Head head) {
    String text = head.text();
    Matcher event = EVENT.matcher(text);
    return event.find()
        && text.contains("eventSource")
        && text.contains("eventName")
        && text.contains("eventID")
        && (event.group(1).length() > 1 || !isDelivered(text.substring(0, event.start())));
  }

  /** Returns true for what may stand before the first event of a file of events. */
  private static boolean isDelivered(String before) {
    return before.replaceAll("[\\s\\[{:\u00ef\u00bb\u00bf]|\"Records\"", "").isEmpty();
  }

  @Override
  public RequestReader open(InputStream text, ParseStatistics statistics) throws IOException {
    return new TrailReader(new WrappedEvents(text), statistics);
  }
}
