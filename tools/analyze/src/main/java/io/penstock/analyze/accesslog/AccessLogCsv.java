/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineRequests;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The result of Athena's query of access logs: CSV with the columns of the table that AWS's page
 * defines, in any order; some may be missing.
 */
public final class AccessLogCsv implements LogFormat {
  /** The columns in the order of the log, as AWS's page on Athena names them. */
  private static final List<String> COLUMNS =
      List.of(
          "bucketowner",
          "bucketname",
          "requestdatetime",
          "remoteip",
          "requester",
          "requestid",
          "operation",
          "key",
          "requesturi",
          "httpstatus",
          "errorcode",
          "bytessent",
          "objectsize",
          "totaltime",
          "turnaroundtime",
          "referrer",
          "useragent",
          "versionid",
          "hostid",
          "sigv",
          "ciphersuite",
          "authtype",
          "endpoint",
          "tlsversion",
          "accesspointarn",
          "aclrequired");

  private static final Set<String> NEEDED =
      Set.of("bucketname", "requestdatetime", "operation", "key", "httpstatus");

  /** So many of the columns are no other table's. */
  private static final int LIKE = 3;

  private static final String TIME = "requestdatetime";
  private static final Set<String> QUOTED = Set.of("requesturi", "referrer", "useragent");

  @Override
  public String title() {
    return "S3 server access log (CSV)";
  }

  @Override
  public boolean matches(Head head) {
    return head.lines(1).stream().allMatch(line -> columns(line).containsAll(NEEDED))
        && !head.lines(1).isEmpty();
  }

  /**
   * Returns the column that a table of access logs lacks here; empty if none is missing, or if this
   * is the first line of something else.
   */
  public static Optional<String> missing(String firstLine) {
    List<String> columns = columns(firstLine);
    boolean isLike = columns.stream().filter(COLUMNS::contains).count() >= LIKE;
    return NEEDED.stream().filter(name -> isLike && !columns.contains(name)).sorted().findFirst();
  }

  private static List<String> columns(String firstLine) {
    if (!firstLine.contains(",")) {
      return List.of();
    }
    try {
      List<String> names = new CsvRecords(new StringReader(firstLine)).next();
      return names == null ? List.of() : names.stream().map(AccessLogCsv::column).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String column(String name) {
    return name.toLowerCase(Locale.ROOT).replace("_", "").replace("\ufeff", "").strip();
  }

  @Override
  public RequestReader open(InputStream text, ParseStatistics statistics) throws IOException {
    return LineRequests.whole(new Lines(text), new AccessLogParser(), statistics);
  }

  /** The records as lines of the log. */
  private static final class Lines extends InputStream {
    private final InputStream in;
    private final CsvRecords records;
    private final List<Integer> places = new ArrayList<>();
    private byte[] line = {};
    private int given;

    Lines(InputStream in) throws IOException {
      this.in = in;
      records =
          new CsvRecords(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
      List<String> names = records.next();
      List<String> columns =
          names == null ? List.of() : names.stream().map(AccessLogCsv::column).toList();
      COLUMNS.forEach(column -> places.add(columns.indexOf(column)));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (given == line.length) {
        List<String> record = records.next();
        if (record == null) {
          return -1;
        }
        line = line(record).getBytes(StandardCharsets.UTF_8);
        given = 0;
      }
      int count = Math.min(length, line.length - given);
      System.arraycopy(line, given, into, offset, count);
      given += count;
      return count;
    }

    private String line(List<String> record) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < COLUMNS.size(); i++) {
        int place = places.get(i);
        String value = place >= 0 && place < record.size() ? record.get(place).strip() : "";
        text.append(i == 0 ? "" : " ").append(field(COLUMNS.get(i), value));
      }
      return text.append('\n').toString();
    }

    private static String field(String column, String value) {
      String plain = value.isEmpty() ? "-" : value.replaceAll("[\\r\\n]+", " ");
      if (column.equals(TIME)) {
        return plain.startsWith("[") ? plain : "[" + plain + "]";
      }
      if (QUOTED.contains(column)) {
        return plain.length() > 1 && plain.startsWith("\"") && plain.endsWith("\"")
            ? plain
            : "\"" + plain + "\"";
      }
      return plain.replace(" ", "%20");
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
