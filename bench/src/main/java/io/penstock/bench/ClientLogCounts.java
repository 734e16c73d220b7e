/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import io.penstock.analyze.clientlog.ClientFacts;
import io.penstock.analyze.clientlog.ClientLogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Prints what a log of S3A's says: a line for each call and status, and how many there were. */
public final class ClientLogCounts {
  private ClientLogCounts() {}

  public static void main(String[] arguments) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    ParseStatistics statistics = new ParseStatistics();
    ClientLogFormat format = new ClientLogFormat(new ClientFacts());
    try (RequestReader requests =
        format.open(Files.newInputStream(Path.of(arguments[0])), statistics)) {
      RequestRow row = new RequestRow();
      while (requests.next(row)) {
        String status = row.has(RequestColumn.STATUS) ? "" + row.number(RequestColumn.STATUS) : "-";
        counts.merge(row.text(RequestColumn.API) + " " + status, 1, Integer::sum);
      }
    }
    counts.forEach((answer, count) -> System.out.println(answer + " " + count));
    System.out.println("rejected - " + statistics.rejectedRecords());
  }
}
