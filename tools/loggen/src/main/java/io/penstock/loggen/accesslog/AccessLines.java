/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.accesslog;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.draw.CallBatch;
import io.penstock.loggen.draw.LineMutation;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.text.LineBuffer;
import io.penstock.loggen.text.Words;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes lines of S3's server access log: the 27 fields of the current format, or a known oddity.
 */
public final class AccessLines {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("'['dd/MMM/yyyy:HH:mm:ss Z']'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final long START_MILLIS = Plan.START.toEpochMilli();
  private static final int[] OLDER_WIDTHS = {17, 18, 24, 25, 26};

  private static final byte[] OWNER =
      LineBuffer.bytes(JobIdentity.OWNER + " " + JobIdentity.BUCKET + " ");
  private static final byte[] REQUESTER =
      LineBuffer.bytes(
          " arn:aws:sts::" + JobIdentity.ACCOUNT + ":assumed-role/" + JobIdentity.ROLE + "/spark ");
  private static final byte[] AGENT = LineBuffer.bytes("\"" + JobIdentity.userAgent() + "\"");
  private static final byte[] QUOTED_AGENT =
      LineBuffer.bytes("\"" + JobIdentity.userAgent().replace("Hadoop", "\"Hadoop") + "\"");
  private static final byte[] CYRILLIC_AGENT =
      LineBuffer.bytes("\"" + JobIdentity.userAgent().replace("Hadoop", "Отчёт Hadoop") + "\"");
  private static final byte[] PROTOCOL = LineBuffer.bytes(" HTTP/1.1\"");
  private static final byte[] THROTTLED = LineBuffer.bytes(" 503 SlowDown ");
  private static final byte[] LIST_QUERY =
      LineBuffer.bytes("?list-type=2&delimiter=%2F&max-keys=5000&prefix=in%2Fsales%2F");

  private final Plan plan;
  private final Words words;
  private final Audit audit;
  private final Map<Call, byte[]> operations = new EnumMap<>(Call.class);
  private final Map<Call, byte[]> methods = new EnumMap<>(Call.class);
  private long second = -1;
  private byte[] time = {};

  /** Creates the lines of a plan. */
  public AccessLines(Plan plan, Words words) {
    this.plan = plan;
    this.words = words;
    this.audit = new Audit(words);
    for (Call call : Call.values()) {
      operations.put(call, LineBuffer.bytes(call.operation().logName()));
      methods.put(call, LineBuffer.bytes("\"" + call.method() + " /"));
    }
  }

  /** Returns the oddity of a request's line. */
  public LineMutation oddity(CallBatch batch, int index) {
    long bits = Mix.of(plan.options().seed(), Purpose.ODD, batch.id(index));
    return LineMutation.of(bits, plan.options().oddShare(), batch.call(index));
  }

  /** Writes a line and its line end. */
  public void line(LineBuffer line, CallBatch batch, int index, LineMutation oddity) {
    int start = line.size();
    Call call = batch.call(index);
    line.put(OWNER).put(time(batch.millis(index))).put(' ');
    words.address(line, batch, index);
    line.put(REQUESTER);
    words.requestId(line, batch.id(index));
    line.put(' ').put(operations.get(call)).put(' ');
    if (oddity == LineMutation.DOUBLE_SPACE) {
      line.put(' ');
    }
    if (words.hasKey(call)) {
      words.key(line, batch, index, true);
    } else {
      line.put('-');
    }
    line.put(' ');
    uri(line, batch, index, oddity);
    numbers(line, batch, index);
    quoted(line, batch, index, oddity);
    tail(line, batch, index, oddity);
    line.put('\n');
    if (oddity == LineMutation.DUPLICATE) {
      line.repeat(start, line.size());
    }
  }

  private byte[] time(long millis) {
    long now = Math.floorDiv(START_MILLIS + millis, 1_000L);
    if (now != second) {
      second = now;
      time = LineBuffer.bytes(TIME.format(Instant.ofEpochSecond(now)));
    }
    return time;
  }

  private void uri(LineBuffer line, CallBatch batch, int index, LineMutation oddity) {
    if (oddity == LineMutation.BARE_URI) {
      line.put('-');
      return;
    }
    Call call = batch.call(index);
    line.put(methods.get(call));
    if (words.hasKey(call)) {
      words.key(line, batch, index, true);
    }
    boolean hasQuery = true;
    switch (call) {
      case CREATE -> line.put("?uploads");
      case PART -> {
        line.put("?partNumber=").number(batch.part(index)).put("&uploadId=");
        words.uploadId(line, batch.subject(index));
      }
      case COMPLETE -> {
        line.put("?uploadId=");
        words.uploadId(line, batch.subject(index));
      }
      case LIST -> line.put(LIST_QUERY);
      case GET, HEAD, HEAD_BUCKET -> hasQuery = false;
    }
    if (oddity == LineMutation.QUOTE_IN_URI) {
      line.put(hasQuery ? '&' : '?').put("x-note=\"odd");
    }
    line.put(PROTOCOL);
  }

  /** Writes the fields from status to turn-around time. */
  private void numbers(LineBuffer line, CallBatch batch, int index) {
    Call call = batch.call(index);
    int millis = batch.latencyMillis(index);
    long subject = batch.subject(index);
    if (batch.isThrottled(index)) {
      line.put(THROTTLED).number(349).put(" - ");
      line.number(millis).put(' ').number(Math.max(1, millis - 1)).put(' ');
      return;
    }
    line.put(call == Call.GET ? " 206 - " : " 200 - ");
    switch (call) {
      case CREATE -> line.put("441 -");
      case PART -> line.put("- ").number(partBytes(subject, batch.part(index)));
      case COMPLETE -> line.put("538 ").number(plan.fileBytes(subject));
      case GET -> line.number(words.rangeBytesOf(subject)).put(" 1997159792");
      case HEAD -> line.put("- 1997159792");
      case HEAD_BUCKET -> line.put("- -");
      case LIST -> line.put("285117 -");
    }
    // S3's own turn-around time does not include the time in which the request body arrives.
    int own = call == Call.PART ? Math.max(1, millis * 2 / 3) : Math.max(1, millis - 2);
    line.put(' ').number(millis).put(' ').number(own).put(' ');
  }

  private long partBytes(long file, int part) {
    return plan.partBytes(file, part, plan.succeeded(Call.PART, file));
  }

  private void quoted(LineBuffer line, CallBatch batch, int index, LineMutation oddity) {
    if (oddity == LineMutation.BARE_DASHES) {
      line.put("- -");
      return;
    }
    line.put('"');
    if (plan.options().hasAudit()) {
      audit.referer(line, batch, index);
    } else {
      line.put('-');
    }
    line.put("\" ");
    line.put(
        oddity == LineMutation.QUOTE_IN_AGENT
            ? QUOTED_AGENT
            : oddity == LineMutation.CYRILLIC ? CYRILLIC_AGENT : AGENT);
  }

  /** Writes the fields from version id to source region. */
  private void tail(LineBuffer line, CallBatch batch, int index, LineMutation oddity) {
    int fields =
        oddity == LineMutation.FEWER_FIELDS
            ? OLDER_WIDTHS[(int) Long.remainderUnsigned(batch.id(index), OLDER_WIDTHS.length)]
            : 27;
    // The user agent was the 17th field.
    if (fields >= 18) {
      line.put(" -");
    }
    if (oddity == LineMutation.EXTRA_TOKEN) {
      line.put(" 0x1F");
    }
    if (fields >= 24) {
      line.put(' ');
      words.hostId(line, batch.id(index));
      line.put(" SigV4 TLS_AES_128_GCM_SHA256 AuthHeader ").put(JobIdentity.HOST).put(" TLSv1.3");
    }
    for (int field = 25; field <= fields; field++) {
      line.put(" -");
    }
    if (oddity == LineMutation.TRAILING_SEMICOLON) {
      line.put("\";");
    }
  }
}
