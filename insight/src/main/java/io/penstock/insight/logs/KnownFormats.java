/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.logs;

import io.penstock.insight.accesslog.AccessLog;
import io.penstock.insight.accesslog.StructuredLog;
import io.penstock.insight.clientlog.ClientFacts;
import io.penstock.insight.clientlog.ClientLogFormat;
import io.penstock.insight.cloudtrail.CloudTrailFiles;
import io.penstock.insight.cloudtrail.CloudTrailLines;
import io.penstock.insight.input.Head;
import io.penstock.insight.input.LogFormat;
import io.penstock.insight.requestlog.RequestLogFormat;
import java.util.List;
import java.util.Optional;

/** The formats of logs that hold requests, the surest to be known first. */
final class KnownFormats {
  private final List<LogFormat> all;

  /**
   * @param facts is told what client logs say beside requests, while they are read
   */
  KnownFormats(ClientFacts facts) {
    all =
        List.of(
            new AccessLog(),
            new StructuredLog(),
            new CloudTrailFiles(),
            new CloudTrailLines(),
            new RequestLogFormat(),
            new ClientLogFormat(facts));
  }

  /**
   * The format of a file.
   *
   * @param path with directories, which say what a client log was of
   */
  Optional<LogFormat> of(String path, Head head) {
    return all.stream()
        .filter(format -> format.matches(head))
        .findFirst()
        .map(format -> format.at(path));
  }
}
