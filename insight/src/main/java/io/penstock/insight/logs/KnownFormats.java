/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.logs;

import io.penstock.insight.accesslog.AccessLog;
import io.penstock.insight.input.Head;
import io.penstock.insight.input.LogFormat;
import java.util.List;
import java.util.Optional;

/** The formats of logs that hold requests, the surest to be known first. */
final class KnownFormats {
  private static final List<LogFormat> ALL = List.of(new AccessLog());

  private KnownFormats() {}

  static Optional<LogFormat> of(Head head) {
    return ALL.stream().filter(format -> format.matches(head)).findFirst();
  }
}
