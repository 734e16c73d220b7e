/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds, while threads read logs, the chains whose attempts may be of one request, and then marks
 * their rows. Whether they are is for the queries to say; they need not read the other rows, which
 * are most of them.
 */
final class RetriedChains {
  private static final byte[] CLIENT_LOG = "client_log".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] REQUEST_LOG = "request_log".getBytes(StandardCharsets.US_ASCII);
  private static final int FIRST_ERROR = 400;
  private static final int NOT_FOUND = 404;

  /** A throttled job's log tells of a retry in every fifth request, other logs in hardly any. */
  private static final int REQUESTS_A_TELLING_ONE = 4;

  private static final long MICROS_A_SECOND = 1_000_000;

  private final HashBits told;

  /**
   * Begins without chains.
   *
   * @param expected about how many requests the logs have; with more, more rows are marked
   */
  RetriedChains(long expected) {
    told = new HashBits(expected / REQUESTS_A_TELLING_ONE, chain -> {});
  }

  /** Takes the requests that one thread reads. */
  final class Reader {
    private final HashBits.Adder adder = told.new Adder();

    void add(RequestRow row) {
      if (isTelling(row)) {
        adder.add(row.number(RequestColumn.CHAIN));
      }
    }

    void end() {
      adder.end();
    }
  }

  /**
   * Returns true for every request that is telling by s3_attempts.sql, which has this condition.
   */
  private static boolean isTelling(RequestRow row) {
    if (row.number(RequestColumn.STATUS) == NOT_FOUND && !isWrite(row)) {
      return false;
    }
    return row.has(RequestColumn.ERR)
        || row.number(RequestColumn.STATUS) >= FIRST_ERROR
        || (isWrite(row)
            && (row.number(RequestColumn.TOTAL_US) > MICROS_A_SECOND || isOfClient(row)));
  }

  private static boolean isWrite(RequestRow row) {
    byte[] kind = row.source(RequestColumn.CLASS);
    return kind != null && kind[row.start(RequestColumn.CLASS)] == 'W';
  }

  private static boolean isOfClient(RequestRow row) {
    return isSource(row, CLIENT_LOG) || isSource(row, REQUEST_LOG);
  }

  private static boolean isSource(RequestRow row, byte[] name) {
    byte[] source = row.source(RequestColumn.SOURCE);
    int start = row.start(RequestColumn.SOURCE);
    int end = row.end(RequestColumn.SOURCE);
    return source != null && Arrays.equals(source, start, end, name, 0, name.length);
  }

  /** Marks the rows of these chains in closed files. */
  void mark(List<RequestFile> files) throws IOException {
    for (RequestFile file : files) {
      file.markRetried(told::mayContain);
    }
  }
}
