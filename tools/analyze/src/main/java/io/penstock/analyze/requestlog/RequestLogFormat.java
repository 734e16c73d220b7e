/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.requestlog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.LogFormat;
import java.util.List;
import java.util.Optional;

/** The log that Penstock writes about its own requests, in {@code penstock.request.log.dir}. */
public final class RequestLogFormat implements LogFormat {
  @Override
  public String title() {
    return "Penstock request log";
  }

  @Override
  public boolean matches(Head head) {
    List<String> first = head.lines(1);
    return !first.isEmpty()
        && first.get(0).startsWith("{\"ts_ms\":")
        && first.get(0).contains("\"op\":");
  }

  @Override
  public Optional<LineParser> lines() {
    return Optional.of(new RequestLogParser());
  }
}
