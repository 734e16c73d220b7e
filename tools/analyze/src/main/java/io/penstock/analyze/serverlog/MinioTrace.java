/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.serverlog;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import io.penstock.tables.json.FieldScanner;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code mc admin trace --json} prints, and what MinIO's own API for it answers. */
public final class MinioTrace extends ServerLog {
  private static final Pattern RECORD = Pattern.compile("\"(?:api|funcname)\":\"s3\\.[A-Z]\\w*\"");

  public MinioTrace() {
    super("MinIO trace", RECORD, Trace::new);
  }

  private static final class Trace extends Parser {
    private static final List<String> FIELDS =
        List.of(
            "api",
            "funcname",
            "time",
            "path",
            "query",
            "statusCode",
            "http/response/statuscode",
            "callStats/duration",
            "dur",
            "callStats/timeToFirstByte",
            "http/stats/timetofirstbyte",
            "callStats/rx",
            "http/stats/inputbytes",
            "callStats/tx",
            "http/stats/outputbytes",
            "client",
            "http/request/client",
            "requestID",
            "response/body",
            "request/headers",
            "http/request/rawquery");
    private static final int API = 0;
    private static final int TIME = 2;
    private static final int PATH = 3;
    private static final int QUERY = 4;
    private static final int STATUS = 5;
    private static final int DURATION = 7;
    private static final int FIRST_BYTE = 9;
    private static final int RECEIVED = 11;
    private static final int SENT = 13;
    private static final int CLIENT = 15;
    private static final int REQUEST_ID = 17;
    private static final int BODY = 18;
    private static final int RAW_QUERY = 20;
    private static final int FAILED = 400;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final String PREFIX = "s3.";
    private static final Pattern CODE = Pattern.compile("<Code>(\\w{1,80})</Code>");

    private static final Verdict OTHER = Verdict.skipped("is not an S3 call");

    /** MinIO's names where they are not S3's. */
    private static final Map<String, S3Api> NAMES =
        Map.of(
            "NewMultipartUpload", S3Api.CREATE_UPLOAD,
            "PutObjectPart", S3Api.UPLOAD_PART,
            "CopyObjectPart", S3Api.UPLOAD_PART_COPY,
            "DeleteMultipleObjects", S3Api.DELETE_OBJECTS,
            "ListObjectsV1", S3Api.LIST_OBJECTS,
            "ListObjectsV2M", S3Api.LIST_OBJECTS,
            "ListObjectParts", S3Api.LIST_PARTS);

    Trace() {
      super(FIELDS);
    }

    @Override
    Verdict read(FieldScanner fields, RequestRow row) {
      String name = fields.text(fields.has(API) ? API : API + 1);
      if (name == null || !name.startsWith(PREFIX)) {
        return OTHER;
      }
      long time = fields.micros(TIME);
      if (time == Long.MIN_VALUE) {
        return NO_TIME;
      }
      row.number(RequestColumn.TS_START, time);
      String api = name.substring(PREFIX.length());
      Optional<S3Api> known = Optional.ofNullable(NAMES.get(api)).or(() -> S3Api.named(api));
      known.ifPresentOrElse(row::api, () -> row.otherApi(api.getBytes(StandardCharsets.UTF_8)));
      place(Optional.ofNullable(fields.text(PATH)).orElse(""), row);
      String query = fields.text(fields.has(QUERY) ? QUERY : RAW_QUERY);
      if (query != null) {
        query(query, row);
      }
      number(fields, either(fields, STATUS), row, RequestColumn.STATUS);
      micros(fields, either(fields, DURATION), row, RequestColumn.TOTAL_US);
      micros(fields, either(fields, FIRST_BYTE), row, RequestColumn.TTFB_US);
      number(fields, either(fields, RECEIVED), row, RequestColumn.BYTES_IN);
      number(fields, either(fields, SENT), row, RequestColumn.BYTES_OUT);
      if (known.filter(Trace::isUpload).isPresent()) {
        number(fields, either(fields, RECEIVED), row, RequestColumn.OBJ_SIZE);
      }
      set(fields, either(fields, CLIENT), row, RequestColumn.CLIENT_IP);
      set(fields, REQUEST_ID, row, RequestColumn.REQ_ID);
      error(fields, row);
      return Verdict.REQUEST;
    }

    private static boolean isUpload(S3Api api) {
      return api == S3Api.PUT_OBJECT || api == S3Api.UPLOAD_PART;
    }

    /** The name of mc's JSON, or that of MinIO's own, which follows it in the list. */
    private static int either(FieldScanner fields, int field) {
      return fields.has(field) ? field : field + 1;
    }

    private static void micros(
        FieldScanner fields, int field, RequestRow row, RequestColumn column) {
      long nanos = fields.number(field);
      row.number(column, nanos < 0 ? -1 : nanos / NANOS_PER_MICRO);
    }

    private static void error(FieldScanner fields, RequestRow row) {
      if (!row.has(RequestColumn.STATUS) || row.number(RequestColumn.STATUS) < FAILED) {
        return;
      }
      String body = fields.text(BODY);
      Matcher code = CODE.matcher(body == null ? "" : body);
      if (code.find()) {
        row.text(RequestColumn.ERR, code.group(1));
      }
    }
  }
}
