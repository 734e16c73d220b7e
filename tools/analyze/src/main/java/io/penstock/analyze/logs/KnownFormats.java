/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.accesslog.AccessLog;
import io.penstock.analyze.accesslog.ParquetLog;
import io.penstock.analyze.accesslog.StructuredLog;
import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.clientlog.ClientLogFormat;
import io.penstock.analyze.cloudtrail.CloudTrailFiles;
import io.penstock.analyze.cloudtrail.CloudTrailLines;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.requestlog.RequestLogFormat;
import java.util.List;
import java.util.Optional;

/** The formats of logs that hold requests, the surest to be known first. */
public final class KnownFormats {
  private final List<LogFormat> all;

  /**
   * @param facts is told what client logs say beside requests, while they are read
   */
  KnownFormats(ClientFacts facts) {
    all =
        List.of(
            new AccessLog(),
            new StructuredLog(),
            new ParquetLog(),
            new CloudTrailFiles(),
            new CloudTrailLines(),
            new RequestLogFormat(),
            new ClientLogFormat(facts));
  }

  /**
   * A format for one file, as another machine names it. What it learns beside requests it tells by
   * {@link LogFormat#learned}.
   *
   * @throws IllegalArgumentException when there is none of that title
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
