/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/**
 * CloudTrail's data events of S3 in the form in which CloudTrail delivers them, {@code
 * {"Records":[…]}}, or as a single array.
 */
public final class CloudTrailFiles implements LogFormat {
  // Some exports begin with a byte order mark. The pattern allows for its bytes.
  private static final Pattern RECORDS =
      Pattern.compile(
          "^(?:\\u00ef\\u00bb\\u00bf)?\\s*\\{\\s*\"Records\"\\s*:\\s*\\[\\s*(?:\\{|\\]|$)");
  private static final Pattern ARRAY = Pattern.compile("^(?:\\u00ef\\u00bb\\u00bf)?\\s*\\[\\s*\\{");

  @Override
  public String title() {
    return "CloudTrail";
  }

  @Override
  public boolean matches(Head head) {
    boolean isEnvelope = RECORDS.matcher(head.text()).find();
    boolean isEmpty = isEnvelope && head.text().length() < 64;
    return isEmpty
        || ((isEnvelope || ARRAY.matcher(head.text()).find()) && CloudTrailLines.isEvent(head));
  }

  @Override
  public RequestReader open(InputStream text, ParseStatistics statistics) throws IOException {
    return new TrailReader(text, statistics);
  }
}
