/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import io.penstock.tables.Kind;
import java.util.List;
import java.util.Locale;

/**
 * The columns of {@code s3_requests}, one row an attempt at a request, whichever log it came from.
 * What a log does not say is null. Durations are kept in microseconds; the view shows them as
 * {@code total_ms}, {@code ttfb_ms} and {@code wait_ms} too.
 */
public enum RequestColumn {
  /** The time at which the attempt began, UTC: as S3 received it, or as the client sent it. */
  TS_START(Kind.TIME),
  TS_END(Kind.TIME),
  /** access_log, cloudtrail, client_log or request_log. */
  SOURCE(Kind.TEXT),
  BUCKET(Kind.TEXT),
  /** Decoded, without a leading slash. */
  KEY(Kind.TEXT),
  /** The key up to its last slash, with it; empty for a key at the root. */
  DIR(Kind.TEXT),
  /** The name of an {@link S3Api}; for any other operation, the name in the log. */
  API(Kind.TEXT),
  /** W writes, R reads, L lists, D deletes, - other. */
  CLASS(Kind.TEXT),
  STATUS(Kind.COUNT),
  /** The error code; null when all went well. */
  ERR(Kind.TEXT),
  /** Returns true if S3 said to slow down: 503 SlowDown or 429. */
  THROTTLED(Kind.FLAG),
  /** The bytes of the body that the client sent. */
  BYTES_IN(Kind.BYTES),
  /** The bytes that S3 sent. */
  BYTES_OUT(Kind.BYTES),
  OBJ_SIZE(Kind.BYTES),
  TOTAL_US(Kind.COUNT),
  /** The time to the first byte of the answer. */
  TTFB_US(Kind.COUNT),
  /** Waited for a permit of our rate control. */
  WAIT_US(Kind.COUNT),
  REQUESTER(Kind.TEXT),
  ROLE_ARN(Kind.TEXT),
  CLIENT_IP(Kind.TEXT),
  USER_AGENT(Kind.TEXT),
  APP_ID(Kind.TEXT),
  /** The executor as Spark or YARN calls it, or S3A's id of its process. */
  EXEC_ID(Kind.TEXT),
  STAGE_ID(Kind.COUNT),
  TASK_ATTEMPT(Kind.TEXT),
  REQ_ID(Kind.TEXT),
  INV_ID(Kind.TEXT),
  ATTEMPT(Kind.COUNT),
  UPLOAD_ID(Kind.TEXT),
  PART_NO(Kind.COUNT),
  SPAN_ID(Kind.TEXT),
  FS_OP(Kind.TEXT),
  RANGE_START(Kind.BYTES),
  /** The end of the range asked for, exclusive. */
  RANGE_END(Kind.BYTES),
  /** The region that the request came from, when it is another one. */
  SOURCE_REGION(Kind.TEXT),
  /** Returns true if it ran beside a slow attempt. */
  HEDGE(Kind.FLAG),
  /** The reason why our client cut it short. */
  CUT(Kind.TEXT),
  /** The number of the file it stands in, see {@code log_files}. */
  FILE(Kind.COUNT),
  /** The position of its record in the unpacked file, in bytes. */
  POSITION(Kind.COUNT),
  /** Equal for attempts at the same thing: bucket, key, api, upload, part, range, requester. */
  CHAIN(Kind.COUNT),
  /** Equal for the parts and the completion of an upload, or for attempts to put an object. */
  WRITE_ID(Kind.COUNT),
  /** Equal for records of the same request, which logs may repeat; null without a request id. */
  RECORD(Kind.COUNT);

  private static final List<RequestColumn> ALL = List.of(values());

  private final Kind kind;

  RequestColumn(Kind kind) {
    this.kind = kind;
  }

  public static List<RequestColumn> all() {
    return ALL;
  }

  /** Its place in the table, from 0. */
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
