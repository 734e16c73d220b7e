/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import static io.penstock.analyze.request.RequestColumn.API;
import static io.penstock.analyze.request.RequestColumn.BUCKET;
import static io.penstock.analyze.request.RequestColumn.BYTES_OUT;
import static io.penstock.analyze.request.RequestColumn.CLIENT_IP;
import static io.penstock.analyze.request.RequestColumn.ERR;
import static io.penstock.analyze.request.RequestColumn.KEY;
import static io.penstock.analyze.request.RequestColumn.OBJ_SIZE;
import static io.penstock.analyze.request.RequestColumn.REQUESTER;
import static io.penstock.analyze.request.RequestColumn.REQ_ID;
import static io.penstock.analyze.request.RequestColumn.SOURCE_REGION;
import static io.penstock.analyze.request.RequestColumn.STATUS;
import static io.penstock.analyze.request.RequestColumn.TOTAL_US;
import static io.penstock.analyze.request.RequestColumn.TS_START;
import static io.penstock.analyze.request.RequestColumn.TTFB_US;
import static io.penstock.analyze.request.RequestColumn.USER_AGENT;

import io.penstock.analyze.request.RequestColumn;
import java.util.List;

/**
 * The fields of the structured access log, which CloudWatch delivers as JSON or Parquet: which
 * become which column, the same for both.
 *
 * <p>AWS's page on the format names them up to {@code http_status}; the spellings of those behind
 * are taken from its page on the older format, several where they could differ. Where a record has
 * two of a column's names, the first that is not null counts. {@code schema_version_id}, which is
 * {@code V_1_0} so far, tells the log from others.
 */
public final class StructuredFields {
  /** The field by which the log is known. */
  public static final String VERSION = "schema_version_id";

  /** {@code GET /key?partNumber=3&uploadId=U HTTP/1.1}, from which come upload and part. */
  public static final List<String> REQUEST_URI = List.of("request_uri");

  /** S3A's audit stands in it. */
  public static final List<String> REFERER = List.of("referrer", "referer");

  /** The meanings of a value. */
  public enum Meaning {
    TEXT,
    NUMBER,
    /** Milliseconds, to be multiplied by 1,000. */
    MILLIS,
    /** ISO 8601 with milliseconds, or a timestamp in Parquet. */
    TIME,
    /** REST.GET.OBJECT, to be named as {@link io.penstock.analyze.request.S3Api} does. */
    OPERATION,
    /**
     * The key of an object; percent-encoded if, and only if, the request's URI has it in the same
     * form.
     */
    KEY
  }

  /** A column and the names of the fields it may come from. */
  public record Field(RequestColumn column, Meaning meaning, List<String> names) {
    private static Field of(RequestColumn column, Meaning meaning, String... names) {
      return new Field(column, meaning, List.of(names));
    }
  }

  private static final List<Field> ALL =
      List.of(
          Field.of(TS_START, Meaning.TIME, "request_time", "time"),
          Field.of(BUCKET, Meaning.TEXT, "bucket_name", "bucket"),
          Field.of(KEY, Meaning.KEY, "key_name", "key", "object_key"),
          Field.of(API, Meaning.OPERATION, "operation"),
          Field.of(STATUS, Meaning.NUMBER, "http_status", "status", "status_code"),
          Field.of(ERR, Meaning.TEXT, "error_code"),
          Field.of(BYTES_OUT, Meaning.NUMBER, "bytes_sent"),
          Field.of(OBJ_SIZE, Meaning.NUMBER, "object_size"),
          Field.of(TOTAL_US, Meaning.MILLIS, "total_time", "total_time_ms", "total_time_millis"),
          Field.of(
              TTFB_US,
              Meaning.MILLIS,
              "turn_around_time",
              "turnaround_time",
              "turn_around_time_ms",
              "turn_around_time_millis"),
          Field.of(CLIENT_IP, Meaning.TEXT, "remote_ip"),
          Field.of(REQUESTER, Meaning.TEXT, "requester"),
          Field.of(REQ_ID, Meaning.TEXT, "request_id"),
          Field.of(USER_AGENT, Meaning.TEXT, "user_agent"),
          Field.of(SOURCE_REGION, Meaning.TEXT, "source_region"));

  private StructuredFields() {}

  public static List<Field> all() {
    return ALL;
  }
}
