/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Reports an error when no file is a known log, because nothing can be analyzed then. */
final class Strangers {
  private static final int SHOWN = 3;
  private static final String KNOWN =
      "Known are S3 server access logs, CloudTrail, logs of drivers and executors, Spark event"
          + " logs, CoreDNS logs, MinIO's trace (JSON), Ceph's ops log and Penstock's request log;"
          + " no logs at hand? penstock logs generate DIR writes some.";

  private Strangers() {}

  /**
   * Checks that at least one file is a known log.
   *
   * @throws IOException naming the first files, each with the reason why it is not read
   */
  static void check(QueryEngine engine) throws IOException {
    Column number = new Column("n", Kind.COUNT);
    List<Object> counts =
        engine
            .rows("select count(*), count(format) from log_files", List.of(number, number))
            .get(0);
    long files = (Long) counts.get(0);
    if ((Long) counts.get(1) > 0) {
      return;
    }
    List<List<Object>> first =
        engine.rows(
            "select name, damage from log_files order by file limit " + SHOWN,
            Column.list("name text, damage text"));
    String shown =
        first.stream()
            .map(row -> Values.visible(row.get(0) + " (" + row.get(1) + ")"))
            .collect(Collectors.joining(", "));
    throw new IOException(
        String.format(
            Locale.ROOT,
            "%s: %s%s. %s",
            files == 1
                ? "the file is not a log"
                : "none of the %,d files is a log".formatted(files),
            shown,
            files > SHOWN ? ", …" : "",
            KNOWN));
  }
}
