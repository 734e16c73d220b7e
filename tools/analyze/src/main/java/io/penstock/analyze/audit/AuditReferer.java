/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.audit;

import static io.penstock.analyze.request.RequestColumn.APP_ID;
import static io.penstock.analyze.request.RequestColumn.AUDITED;
import static io.penstock.analyze.request.RequestColumn.EXEC_ID;
import static io.penstock.analyze.request.RequestColumn.QUERY;
import static io.penstock.analyze.request.RequestColumn.RANGE_END;
import static io.penstock.analyze.request.RequestColumn.RANGE_START;
import static io.penstock.analyze.request.RequestColumn.STAGE;
import static io.penstock.analyze.request.RequestColumn.TASK;
import static io.penstock.analyze.request.RequestColumn.TS_START;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the {@code Referer} header that S3A and Penstock send with their requests. It names the
 * process, the call of the file system and the task that caused the request; Penstock's also names
 * the application and the SQL query.
 *
 * <p>A referer from another client leaves the row unchanged, and damaged fields are ignored.
 * Servers truncate long headers, and S3A writes the fields in no fixed order, so each field is read
 * independently.
 *
 * <p>It remembers the last process, so it is for one thread.
 */
public final class AuditReferer {
  private static final byte[] NEW = ascii("hadoop/1/");
  private static final byte[] OLD = ascii("audit/");
  private static final byte[] SPAN = ascii("span/");
  private static final byte[] APPLICATION = ascii("application_");
  private static final byte[] SCHEME = ascii("http");
  private static final int MAX_ID = 160;
  private static final int PROCESS_LENGTH = "2eac5a04-2153-48db-896a-09bc9a2fd132".length();

  /**
   * The number of digits of the YARN cluster's start time in a job's name. In milliseconds, 13
   * digits last until the year 2286.
   */
  private static final int CLUSTER_DIGITS = 13;

  private static final int JOB_PREFIX = "job_".length();
  private static final long MICROS_IN_SECOND = 1_000_000;

  // A request's path can contain "&ps=" too, so only characters of an id are accepted.
  private static final boolean[] OF_ID = new boolean[Byte.MAX_VALUE + 1];

  static {
    for (int c = 0; c < OF_ID.length; c++) {
      OF_ID[c] =
          (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || (c >= 'A' && c <= 'Z')
              || "-_.".indexOf(c) >= 0;
    }
  }

  // The process of the last referer, whose characters are known to be good.
  private byte[] process = {};

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Sets the columns of the row from a referer.
   *
   * @param text holds the header from start to end exclusive, with or without quotes
   * @param row the row to fill; its start time may already be set, in whole seconds
   */
  public void decode(byte[] text, int start, int end, RequestRow row) {
    int from = start < end && text[start] == '"' ? start + 1 : start;
    int to = from < end && text[end - 1] == '"' ? end - 1 : end;
    int path = path(text, from, to);
    if (path < 0) {
      return;
    }
    int query = find(text, path, to, '?');
    if (Scan.startsWith(text, path, query, NEW)) {
      int span = afterSlash(text, path + NEW.length, query);
      audited(find(text, span, query, '/') < query, row);
    } else if (Scan.startsWith(text, path, query, OLD)) {
      // The older path is ID/span/SPAN/operation/OPERATION.
      audited(Scan.startsWith(text, afterSlash(text, path + OLD.length, query), query, SPAN), row);
    } else {
      return;
    }
    fields(text, query + 1, to, row);
  }

  private static void audited(boolean isWhole, RequestRow row) {
    if (isWhole) {
      row.number(AUDITED, 1);
    }
  }

  /** Returns the position after the slash where the path begins; -1 when the text is not a URL. */
  private static int path(byte[] text, int start, int end) {
    if (!Scan.startsWith(text, start, end, SCHEME)) {
      return -1;
    }
    int colon = start + SCHEME.length;
    if (colon < end && text[colon] == 's') {
      colon++;
    }
    if (colon + 2 >= end || text[colon] != ':' || text[colon + 2] != '/') {
      return -1;
    }
    return afterSlash(text, colon + 3, end);
  }

  private void fields(byte[] text, int start, int end, RequestRow row) {
    int field = start;
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      for (long found = Scan.all(text, at, '&'); found != 0; found &= found - 1) {
        int next = at + Scan.firstByte(found);
        field(text, field, next, row);
        field = next + 1;
      }
    }
    for (; at < end; at++) {
      if (text[at] == '&') {
        field(text, field, at, row);
        field = at + 1;
      }
    }
    field(text, field, end, row);
  }

  private void field(byte[] text, int nameStart, int end, RequestRow row) {
    int start = nameStart + 3;
    if (end <= start || text[start - 1] != '=') {
      return;
    }
    switch (text[nameStart] << 8 | text[nameStart + 1]) {
      case 'p' << 8 | 's' -> {
        // A truncated id would look like another process.
        if (end - start == PROCESS_LENGTH) {
          process(text, start, end, row);
        }
      }
      case 'a' << 8 | 'p' -> id(APP_ID, text, start, end, row);
      case 'q' << 8 | 'e' -> number(QUERY, Scan.number(text, start, end), row);
      case 't' << 8 | 'a' -> task(text, start, end, row);
      case 'j' << 8 | 'i' -> application(text, start, end, row);
      case 't' << 8 | 's' -> millis(Scan.number(text, start, end), row);
      case 'r' << 8 | 'g' -> range(text, start, end, row);
      default -> {
        // The others are ignored: the record itself has the path, and no column needs the rest.
      }
    }
  }

  /**
   * Sets the application of a YARN job such as {@code job_1717511234567_0042}. Spark's own jobs
   * have a longer number or another id, which does not identify the application.
   */
  private static void application(byte[] text, int start, int end, RequestRow row) {
    int cluster = start + JOB_PREFIX;
    int number = cluster + CLUSTER_DIGITS + 1;
    boolean isOfYarn =
        number < end
            && text[start] == 'j'
            && text[cluster - 1] == '_'
            && text[number - 1] == '_'
            && Scan.number(text, cluster, number - 1) >= 0
            && Scan.number(text, number, end) >= 0;
    if (isOfYarn) {
      byte[] application = new byte[APPLICATION.length + end - cluster];
      System.arraycopy(APPLICATION, 0, application, 0, APPLICATION.length);
      System.arraycopy(text, cluster, application, APPLICATION.length, end - cluster);
      row.text(APP_ID, application);
    } else if (Scan.startsWith(text, start, end, APPLICATION)) {
      id(APP_ID, text, start, end, row);
    }
  }

  /**
   * Sets the stage and the task of an id such as {@code
   * attempt_202606041440129182736455_0003_m_000005_17}. In Spark, the job's number is the stage,
   * and the last number is the task attempt in the application.
   */
  private static void task(byte[] text, int start, int end, RequestRow row) {
    int cluster = find(text, start, end, '_') + 1;
    int stage = find(text, cluster, end, '_') + 1;
    int kind = find(text, stage, end, '_') + 1;
    int partition = find(text, kind, end, '_') + 1;
    int task = find(text, partition, end, '_') + 1;
    if (task < end) {
      number(STAGE, Scan.number(text, stage, kind - 1), row);
      number(TASK, Scan.number(text, task, end), row);
    }
  }

  private static void number(RequestColumn column, long value, RequestRow row) {
    if (value >= 0) {
      row.number(column, value);
    }
  }

  /**
   * Sets the milliseconds of the start time from the time at which the span began. The request was
   * sent after that, possibly much later. The span's milliseconds are used only if the span began
   * in the same second that the server logged. Otherwise the request would be counted in a second
   * in which S3 did not receive it.
   */
  private static void millis(long millis, RequestRow row) {
    long second = row.number(TS_START);
    if (millis >= 0
        && row.has(TS_START)
        && second % MICROS_IN_SECOND == 0
        && millis / 1_000 == second / MICROS_IN_SECOND) {
      row.number(TS_START, millis * 1_000);
    }
  }

  /**
   * Reads the first and the last byte, {@code 100-199}; older referers have {@code bytes=} before
   * them.
   */
  private static void range(byte[] text, int start, int end, RequestRow row) {
    int equals = find(text, start, end, '=');
    int from = equals < end ? equals + 1 : start;
    int dash = find(text, from, end, '-');
    long first = Scan.number(text, from, dash);
    long last = Scan.number(text, dash + 1, end);
    if (first >= 0 && last >= first) {
      row.number(RANGE_START, first);
      row.number(RANGE_END, last + 1);
    }
  }

  private void process(byte[] text, int start, int end, RequestRow row) {
    if (process.length == PROCESS_LENGTH
        && Scan.areEqual(process, 0, text, start, PROCESS_LENGTH)) {
      row.text(EXEC_ID, text, start, end);
      return;
    }
    if (id(EXEC_ID, text, start, end, row)) {
      process = Arrays.copyOfRange(text, start, end);
    }
  }

  /** Sets a column to an id; returns false, and sets nothing, if the text is no id. */
  private static boolean id(RequestColumn column, byte[] text, int start, int end, RequestRow row) {
    if (start >= end || end - start > MAX_ID) {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (!isOfId(text[i])) {
        return false;
      }
    }
    row.text(column, text, start, end);
    return true;
  }

  private static boolean isOfId(byte b) {
    return b >= 0 && OF_ID[b];
  }

  private static int afterSlash(byte[] text, int start, int end) {
    return Math.min(find(text, start, end, '/') + 1, end);
  }

  /** Returns the next position of a byte, or the end when the byte does not occur. */
  private static int find(byte[] text, int start, int end, char wanted) {
    return start < end ? Scan.find(text, start, end, wanted) : end;
  }
}
