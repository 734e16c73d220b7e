/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.LogFormat;
import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** S3's server access log in its classic form: one line of text for each request. */
public final class AccessLog implements LogFormat {
  static final byte[] SOURCE = "access_log".getBytes(StandardCharsets.US_ASCII);

  private static final int LOOK_AT = 50;
  private static final Pattern BEGINS =
      Pattern.compile(
          "\\S+ +\\S+ +\\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}] ");

  @Override
  public String title() {
    return "S3 server access log";
  }

  @Override
  public boolean matches(Head head) {
    return areAllLike(head.bytes()) || areMostLike(head);
  }

  /**
   * Returns true if the first lines, with no blank one among them, all begin as they should. A log
   * may be many thousands of files of a few lines, so this is what mostly decides.
   */
  private static boolean areAllLike(byte[] text) {
    int lines = 0;
    int start = 0;
    while (lines < LOOK_AT && start < text.length && isLike(text, start)) {
      start = Scan.find(text, start, text.length, '\n') + 1;
      lines++;
    }
    return lines == LOOK_AT || (lines > 0 && start >= text.length);
  }

  private static boolean isLike(byte[] text, int start) {
    int owner = Scan.findBlank(text, start, text.length);
    int bucket = Scan.findBlank(text, Math.min(owner + 1, text.length), text.length);
    int end = bucket + 1 + LogTime.LENGTH;
    return owner > start
        && bucket > owner + 1
        && end < text.length
        && text[owner] == ' '
        && text[bucket] == ' '
        && text[end] == ' '
        && LogTime.micros(text, bucket + 1, end) != LogTime.UNREADABLE;
  }

  private static boolean areMostLike(Head head) {
    List<String> lines = head.lines(LOOK_AT);
    long like = lines.stream().filter(line -> BEGINS.matcher(line).lookingAt()).count();
    return like > 0 && like * 2 >= lines.size();
  }

  @Override
  public Optional<LineParser> lines() {
    return Optional.of(new AccessLogParser());
  }
}
