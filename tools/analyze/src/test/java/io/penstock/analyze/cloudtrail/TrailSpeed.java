/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Says how many megabytes of events a core reads a second; run by hand, on an idle machine. */
final class TrailSpeed {
  private TrailSpeed() {}

  public static void main(String[] args) throws IOException {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      events.add(
          Trail.event("UploadPart", "lake/day=01/part-%05d-c000.parquet".formatted(i), "")
              .replace("\"R1\"", "\"R" + i + "\""));
    }
    byte[] file = Trail.file(events).getBytes(UTF_8);
    for (int round = 0; round < 8; round++) {
      long start =
          java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      long rows = 0;
      ParseStatistics statistics = new ParseStatistics();
      try (RequestReader reader =
          new CloudTrailFiles().open(new ByteArrayInputStream(file), statistics)) {
        RequestRow row = new RequestRow();
        while (reader.next(row)) {
          rows++;
        }
      }
      long nanos =
          java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()
              - start;
      System.out.printf(
          "%d events, %d bytes each, %.0f MB/s of CPU, %.0f events/s%n",
          rows, file.length / rows, file.length * 1e3 / nanos, rows * 1e9 / nanos);
    }
  }
}
