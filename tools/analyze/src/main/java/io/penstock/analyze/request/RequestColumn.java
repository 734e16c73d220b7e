/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import io.penstock.tables.Kind;
import java.util.List;
import java.util.Locale;

/**
 * The columns of {@code s3_requests}, which has one row for each attempt at a request, from any
 * log. A value that the log does not contain is null. Durations are stored in microseconds; the
 * view also shows them in milliseconds as {@code total_ms}, {@code ttfb_ms} and {@code wait_ms}.
 */
public enum RequestColumn {
  /**
   * The start of the attempt, UTC: when S3 received it, or, in client logs, when the client sent
   * it.
   */
  TS_START(Kind.TIME),
  TS_END(Kind.TIME),
  /** access_log, cloudtrail, client_log or request_log. */
  SOURCE(Kind.TEXT),
  BUCKET(Kind.TEXT),
  /** The decoded key, without a leading slash. */
  KEY(Kind.TEXT),
  /** The key up to and including its last slash; empty for a key without a slash. */
  DIR(Kind.TEXT),
  /** The name of an {@link S3Api}; for any other operation, the name in the log. */
  API(Kind.TEXT),
  /** The class of the call: W writes, R reads, L lists, D deletes, - other. */
  CLASS(Kind.TEXT),
  STATUS(Kind.COUNT),
  /** The error code; null when the request succeeded. */
  ERR(Kind.TEXT),
  /** True if S3 throttled the request: 503 SlowDown or 429. */
  THROTTLED(Kind.FLAG),
  /** The bytes of the body that the client sent. */
  BYTES_IN(Kind.BYTES),
  /** The bytes that S3 sent. */
  BYTES_OUT(Kind.BYTES),
  OBJ_SIZE(Kind.BYTES),
  TOTAL_US(Kind.COUNT),
  /** The time to the first byte of the answer. */
  TTFB_US(Kind.COUNT),
  /** The time spent waiting for a permit of Penstock's rate control, in microseconds. */
  WAIT_US(Kind.COUNT),
  REQUESTER(Kind.TEXT),
  ROLE_ARN(Kind.TEXT),
  CLIENT_IP(Kind.TEXT),
  USER_AGENT(Kind.TEXT),
  APP_ID(Kind.TEXT),
  /** The executor's id in Spark or YARN, or S3A's id of the process. */
  EXEC_ID(Kind.TEXT),
  REQ_ID(Kind.TEXT),
  INV_ID(Kind.TEXT),
  ATTEMPT(Kind.COUNT),
  UPLOAD_ID(Kind.TEXT),
  PART_NO(Kind.COUNT),
  /** The SQL query of the application that the request was made for, as Penstock tells it. */
  QUERY(Kind.COUNT),
  /** The stage that the request was made for, as Penstock or S3A tells it. */
  STAGE(Kind.COUNT),
  /** The task attempt that the request was made for. */
  TASK(Kind.COUNT),
  /** True if the audit header of S3A or Penstock names the call that caused the request. */
  AUDITED(Kind.FLAG),
  RANGE_START(Kind.BYTES),
  /** The exclusive end of the requested range. */
  RANGE_END(Kind.BYTES),
  /** The region that the request came from, when it differs from the bucket's region. */
  SOURCE_REGION(Kind.TEXT),
  /** True if the attempt is a hedge, which runs beside a slow attempt. */
  HEDGE(Kind.FLAG),
  /** The reason why Penstock's client canceled the attempt. */
  CUT(Kind.TEXT),
  /** The number of the file that contains the record, see {@code log_files}. */
  FILE(Kind.COUNT),
  /** The position of the record in the decompressed file, in bytes. */
  POSITION(Kind.COUNT),
  /**
   * A hash that is equal for attempts with the same bucket, key, api, upload, part, range and
   * requester.
   */
  CHAIN(Kind.COUNT),
  /**
   * A hash that is equal for the parts and the completion of an upload, or for attempts to put the
   * same object.
   */
  WRITE_ID(Kind.COUNT),
  /**
   * A hash that is equal for records of the same request, which logs may repeat; null without a
   * request id.
   */
  RECORD(Kind.COUNT);

  private static final List<RequestColumn> ALL = List.of(values());

  private final Kind kind;

  RequestColumn(Kind kind) {
    this.kind = kind;
  }

  public static List<RequestColumn> all() {
    return ALL;
  }

  /** Returns the index of this column in the table, from 0. */
  @SuppressWarnings("EnumOrdinal") // the order of the columns is the order of the constants
  public int index() {
    return ordinal();
  }

  public Kind kind() {
    return kind;
  }

  public String sqlName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
