/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.accesslog.AccessLog;
import io.penstock.analyze.accesslog.AccessLogCsv;
import io.penstock.analyze.accesslog.ParquetLog;
import io.penstock.analyze.accesslog.StructuredLog;
import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.clientlog.ClientLogFormat;
import io.penstock.analyze.cloudtrail.CloudTrailFiles;
import io.penstock.analyze.cloudtrail.CloudTrailLines;
import io.penstock.analyze.cloudtrail.CloudTrailWrapped;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.requestlog.RequestLogFormat;
import io.penstock.analyze.serverlog.CephOpsLog;
import io.penstock.analyze.serverlog.MinioTrace;
import java.util.List;
import java.util.Optional;

/** The formats of logs that contain requests, the most reliably detected first. */
public final class KnownFormats {
  private final List<LogFormat> all;

  /**
   * @param facts receives the facts other than requests from client logs while they are read
   */
  KnownFormats(ClientFacts facts) {
    all =
        List.of(
            new AccessLog(),
            new StructuredLog(),
            new ParquetLog(),
            new AccessLogCsv(),
            new RequestLogFormat(),
            new MinioTrace(),
            new CephOpsLog(),
            // A log may quote an event of CloudTrail.
            new ClientLogFormat(facts),
            new CloudTrailWrapped(),
            new CloudTrailFiles(),
            new CloudTrailLines());
  }

  /**
   * Returns the format with a title, for one file that another machine has identified. {@link
   * LogFormat#learned} returns the facts other than requests.
   *
   * @throws IllegalArgumentException when no format has that title
   */
  public static LogFormat named(String title, String path) {
    return new KnownFormats(new ClientFacts())
        .all.stream()
            .filter(format -> format.title().equals(title))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no format " + title))
            .at(path);
  }

  /**
   * Returns the format of a file with server access logs, which are by far the most frequent and
   * can be told by a few lines; empty for any other file.
   */
  Optional<LogFormat> accessLog(Head head) {
    return Optional.of(all.get(0)).filter(format -> format.matches(head));
  }

  /**
   * Returns the format of a file; empty when no format matches.
   *
   * @param path the path with directories, which identify the process that wrote a client log
   */
  Optional<LogFormat> of(String path, Head head) {
    return all.stream()
        .filter(format -> format.matches(head))
        .findFirst()
        .map(format -> format.at(path));
  }
}
