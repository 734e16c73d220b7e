/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.serverlog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.request.PercentCode;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.json.FieldScanner;
import io.penstock.tables.json.FieldTree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A log of a server, with one object of JSON on each line. */
abstract class ServerLog implements LogFormat {
  private static final int LOOK_AT = 20;
  private static final byte[] ACCESS_LOG = "access_log".getBytes(StandardCharsets.US_ASCII);

  private final String title;
  private final Pattern record;
  private final Supplier<LineParser> parser;

  ServerLog(String title, Pattern record, Supplier<LineParser> parser) {
    this.title = title;
    this.record = record;
    this.parser = parser;
  }

  @Override
  public final String title() {
    return title;
  }

  @Override
  public final boolean matches(Head head) {
    List<String> lines = head.lines(LOOK_AT);
    long like =
        lines.stream().filter(line -> line.startsWith("{") && record.matcher(line).find()).count();
    return like > 0 && like * 2 >= lines.size();
  }

  @Override
  public final Optional<LineParser> lines() {
    return Optional.of(parser.get());
  }

  /** Parses a line with fields; what the fields mean is the server's. */
  abstract static class Parser implements LineParser {
    private static final Verdict NOT_JSON = Verdict.rejected("it is not JSON");
    private static final Verdict CUT_OFF = Verdict.rejected("it is cut off");
    static final Verdict NO_TIME = Verdict.rejected("its time cannot be read");

    private final FieldScanner record;

    Parser(List<String> fields) {
      record = new FieldScanner(new FieldTree(fields));
    }

    @Override
    public final Verdict parse(byte[] text, int start, int end, RequestRow row) {
      int until = record.scan(text, start, end);
      if (until < 0) {
        return until == FieldScanner.SHORT ? CUT_OFF : NOT_JSON;
      }
      Verdict verdict = read(record, row);
      if (verdict.what() == Verdict.What.REQUEST) {
        row.text(RequestColumn.SOURCE, ACCESS_LOG);
      }
      return verdict;
    }

    abstract Verdict read(FieldScanner fields, RequestRow row);

    static void set(FieldScanner fields, int field, RequestRow row, RequestColumn column) {
      byte[] value = fields.bytes(field);
      if (value != null && value.length > 0) {
        row.text(column, value);
      }
    }

    static void number(FieldScanner fields, int field, RequestRow row, RequestColumn column) {
      row.number(column, fields.number(field));
    }

    /** Sets bucket and key from a path of the form {@code /bucket/key}. */
    static void place(String path, RequestRow row) {
      int start = path.startsWith("/") ? 1 : 0;
      int slash = path.indexOf('/', start);
      String bucket = slash < 0 ? path.substring(start) : path.substring(start, slash);
      if (!bucket.isEmpty()) {
        row.text(RequestColumn.BUCKET, bucket);
      }
      if (slash >= 0 && slash + 1 < path.length()) {
        row.text(RequestColumn.KEY, path.substring(slash + 1));
      }
    }

    /** Sets the upload and the part that a query such as {@code partNumber=3&uploadId=U} names. */
    static void query(String query, RequestRow row) {
      for (String part : query.split("&", -1)) {
        byte[] value = part.substring(part.indexOf('=') + 1).getBytes(StandardCharsets.UTF_8);
        if (part.startsWith("uploadId=")) {
          PercentCode.decode(value, 0, value.length, RequestColumn.UPLOAD_ID, row);
        } else if (part.startsWith("partNumber=") && value.length <= 6) {
          String number = new String(value, StandardCharsets.UTF_8);
          row.number(RequestColumn.PART_NO, number.matches("\\d+") ? Long.parseLong(number) : -1);
        }
      }
    }
  }
}
