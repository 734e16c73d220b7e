/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.LogFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** S3's server access log as CloudWatch delivers it in JSON, one object on each line. */
public final class StructuredLog implements LogFormat {
  private static final int LOOK_AT = 50;
  private static final Pattern VERSION =
      Pattern.compile("\"" + StructuredFields.VERSION + "\"\\s*:\\s*\"V_");

  @Override
  public String title() {
    return "S3 server access log (JSON)";
  }

  @Override
  public boolean matches(Head head) {
    List<String> lines = head.lines(LOOK_AT);
    long like = lines.stream().filter(StructuredLog::isRecord).count();
    return like > 0 && like * 2 >= lines.size();
  }

  private static boolean isRecord(String line) {
    // A CloudWatch log of another service can contain these words too.
    return line.startsWith("{") && VERSION.matcher(line).find() && line.contains("bucket");
  }

  @Override
  public Optional<LineParser> lines() {
    return Optional.of(new StructuredParser());
  }
}
