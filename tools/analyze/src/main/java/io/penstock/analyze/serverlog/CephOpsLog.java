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
import java.util.regex.Pattern;

/** The log of operations of Ceph's object gateway ({@code rgw_ops_log_file_path}). */
public final class CephOpsLog extends ServerLog {
  private static final Pattern RECORD =
      Pattern.compile("\"operation\":\\s*\"\\w+\".*\"http_status\":.*\"total_time\":");

  public CephOpsLog() {
    super("Ceph ops log", RECORD, Operation::new);
  }

  private static final class Operation extends Parser {
    private static final List<String> FIELDS =
        List.of(
            "time",
            "bucket",
            "object",
            "operation",
            "uri",
            "http_status",
            "error_code",
            "bytes_sent",
            "bytes_received",
            "total_time",
            "user",
            "remote_addr",
            "user_agent",
            "trans_id");
    private static final int TIME = 0;
    private static final int BUCKET = 1;
    private static final int OBJECT = 2;
    private static final int OPERATION = 3;
    private static final int URI = 4;
    private static final int STATUS = 5;
    private static final int ERROR = 6;
    private static final int SENT = 7;
    private static final int RECEIVED = 8;
    private static final int TOTAL = 9;
    private static final int USER = 10;
    private static final int ADDRESS = 11;
    private static final int AGENT = 12;
    private static final int ID = 13;
    private static final long MICROS_PER_MILLI = 1_000;

    private static final Map<String, S3Api> NAMES =
        Map.ofEntries(
            Map.entry("put_obj", S3Api.PUT_OBJECT),
            Map.entry("get_obj", S3Api.GET_OBJECT),
            Map.entry("stat_obj", S3Api.HEAD_OBJECT),
            Map.entry("copy_obj", S3Api.COPY_OBJECT),
            Map.entry("delete_obj", S3Api.DELETE_OBJECT),
            Map.entry("multi_object_delete", S3Api.DELETE_OBJECTS),
            Map.entry("init_multipart", S3Api.CREATE_UPLOAD),
            Map.entry("complete_multipart", S3Api.COMPLETE_UPLOAD),
            Map.entry("abort_multipart", S3Api.ABORT_UPLOAD),
            Map.entry("list_multipart", S3Api.LIST_PARTS),
            Map.entry("list_bucket_multiparts", S3Api.LIST_UPLOADS),
            Map.entry("list_bucket", S3Api.LIST_OBJECTS),
            Map.entry("stat_bucket", S3Api.HEAD_BUCKET));

    Operation() {
      super(FIELDS);
    }

    @Override
    Verdict read(FieldScanner fields, RequestRow row) {
      long time = fields.micros(TIME);
      if (time == Long.MIN_VALUE) {
        return NO_TIME;
      }
      row.number(RequestColumn.TS_START, time);
      String uri = Optional.ofNullable(fields.text(URI)).orElse("");
      String query = query(uri);
      api(Optional.ofNullable(fields.text(OPERATION)).orElse(""), uri, query, row);
      query(query, row);
      set(fields, BUCKET, row, RequestColumn.BUCKET);
      set(fields, OBJECT, row, RequestColumn.KEY);
      number(fields, STATUS, row, RequestColumn.STATUS);
      set(fields, ERROR, row, RequestColumn.ERR);
      number(fields, SENT, row, RequestColumn.BYTES_OUT);
      number(fields, RECEIVED, row, RequestColumn.BYTES_IN);
      if (query.contains("partNumber=") || uri.startsWith("PUT ")) {
        number(fields, RECEIVED, row, RequestColumn.OBJ_SIZE);
      }
      long millis = fields.number(TOTAL);
      row.number(RequestColumn.TOTAL_US, millis < 0 ? -1 : millis * MICROS_PER_MILLI);
      set(fields, USER, row, RequestColumn.REQUESTER);
      set(fields, ADDRESS, row, RequestColumn.CLIENT_IP);
      set(fields, AGENT, row, RequestColumn.USER_AGENT);
      set(fields, ID, row, RequestColumn.REQ_ID);
      return Verdict.REQUEST;
    }

    /**
     * Returns what stands between the question mark and the version of {@code GET /x?a HTTP/1.1}.
     */
    private static String query(String uri) {
      int start = uri.indexOf('?');
      int end = uri.lastIndexOf(' ');
      return start < 0 ? "" : uri.substring(start + 1, end > start ? end : uri.length());
    }

    private static void api(String operation, String uri, String query, RequestRow row) {
      S3Api api = NAMES.get(operation);
      if (api == S3Api.PUT_OBJECT && query.contains("partNumber=")) {
        api = S3Api.UPLOAD_PART;
      } else if (api == S3Api.GET_OBJECT && uri.startsWith("HEAD ")) {
        api = S3Api.HEAD_OBJECT;
      }
      if (api == null) {
        row.otherApi(operation.getBytes(StandardCharsets.UTF_8));
      } else {
        row.api(api);
      }
    }
  }
}
