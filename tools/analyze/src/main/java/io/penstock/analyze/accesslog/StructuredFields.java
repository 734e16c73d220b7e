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
import static io.penstock.analyze.request.RequestColumn.STATUS;
import static io.penstock.analyze.request.RequestColumn.TOTAL_US;
import static io.penstock.analyze.request.RequestColumn.TS_START;
import static io.penstock.analyze.request.RequestColumn.TTFB_US;
import static io.penstock.analyze.request.RequestColumn.USER_AGENT;

import io.penstock.analyze.request.RequestColumn;
import java.util.List;

/**
 * The fields of the structured access log and the column that each one fills. CloudWatch delivers
 * this log as JSON or Parquet, and the mapping is the same for both.
 *
 * <p>AWS's page on the format names the fields up to {@code http_status}. The names of the later
 * fields are taken from AWS's page on the older format; where the spelling is uncertain, several
 * names are listed. If a record has several names of one column, the first value that is not null
 * is used. The field {@code schema_version_id}, so far always {@code V_1_0}, identifies the log.
 */
public final class StructuredFields {
  /** The field that identifies the log. */
  public static final String VERSION = "schema_version_id";

  /**
   * The request line, such as {@code GET /key?partNumber=3&uploadId=U HTTP/1.1}. It contains the
   * upload id and the part number.
   */
  public static final List<String> REQUEST_URI = List.of("request_uri");

  /** The referer, which contains S3A's audit information. */
  public static final List<String> REFERER = List.of("referrer", "referer");

  /** The host of the request, which names the bucket's region. */
  public static final List<String> HOST = List.of("host_header");

  /** The region that the request came from. */
  public static final List<String> REGION = List.of("source_region");

  /** The ways in which a value is interpreted. */
  public enum Meaning {
    TEXT,
    NUMBER,
    /** Milliseconds, which are multiplied by 1,000 to get microseconds. */
    MILLIS,
    /** A time: ISO 8601 with milliseconds in JSON, a timestamp in Parquet. */
    TIME,
    /**
     * An operation such as REST.GET.OBJECT, which is translated to the name in {@link
     * io.penstock.analyze.request.S3Api}.
     */
    OPERATION,
    /**
     * The key of an object. It is treated as percent-encoded if, and only if, the request's URI
     * contains it in the same form.
     */
    KEY
  }

  /** A column and the names of the fields that can fill it. */
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
          Field.of(USER_AGENT, Meaning.TEXT, "user_agent"));

  private StructuredFields() {}

  public static List<Field> all() {
    return ALL;
  }
}
