/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The fast parser reads a line as the parser of all lines does, or leaves it. */
class RegularLineTest {
  private static final String AUDIT =
      "\"https://audit.example.org/hadoop/1/op_create/2eac5a04-2153-48db-896a-09bc9a2fd132-07/?op=op_create"
          + "&p1=out/part-0.parquet&ps=2eac5a04-2153-48db-896a-09bc9a2fd132&rg=100-199"
          + "&ts=1717512012345&ji=job_1717511234567_0042\"";
  private static final List<String> LINES =
      List.of(
          "79a5 lake [04/Jun/2024:14:40:12 +0000] 10.0.1.7 arn:aws:sts::1:assumed-role/x/y 3E57"
              + " REST.PUT.PART a/b \"PUT /a/b?partNumber=3&uploadId=U%2F1 HTTP/1.1\" 503 SlowDown"
              + " 271 54 87 12 "
              + AUDIT
              + " \"ua 1\" - h SigV4 TLS AuthHeader lake.s3.amazonaws.com TLSv1.3 - us-east-1",
          "79a5 lake [04/Jun/2024:14:40:12 +0000] 10.0.1.7 arn:aws:iam::1:role/x 3E58"
              + " REST.GET.OBJECT dt%3D2024/b%2520c \"GET /dt%3D2024/b%2520c HTTP/1.1\" 206 -"
              + " 8388608 99999999 87 12 \"-\" \"S3A\" - h SigV4 TLS AuthHeader - TLSv1.2 - -",
          "o b [06/Feb/2012:00:00:38 -0530] - - - REST.HEAD.BUCKET - \"HEAD /b HTTP/1.1\" 404"
              + " NoSuchBucket - - 9 - - - - h -",
          "o b [06/Feb/2012:23:59:60 +0000] ::1 - R REST.POST.UPLOADS k \"POST /k?uploads"
              + " HTTP/1.1\" 200 - 5 - 123456789012 1 \"-\" \"x\" - 0");
  private static final String DAMAGE = " \"-%?&=[]:/\u0434\u0000x0 9\r\n\t";

  private final RegularLine fast = new RegularLine();
  private final AccessLogParser judge = new AccessLogParser();
  private int read;

  @Test
  void aDamagedLineIsReadAsByTheOtherParserOrLeftToIt() {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    int rounds = 200_000;
    for (int i = 0; i < rounds; i++) {
      String line = damaged(LINES.get(random.nextInt(LINES.size())), random);
      String next = LINES.get(random.nextInt(LINES.size()));
      check(
          line,
          line + '\n' + next,
          "replay with -Dtest=RegularLineTest -Dpenstock.test.seed=" + seed);
    }
    assertThat(read).isGreaterThan(rounds / 4);
  }

  @Test
  void aLineWithoutItsEndIsLeftToTheOtherParser() {
    for (String line : LINES) {
      byte[] text = (line + '\n').getBytes(StandardCharsets.UTF_8);
      for (int end = 0; end < text.length; end++) {
        assertThat(fast.parse(text, 0, end, new RequestRow())).isEqualTo(RegularLine.OTHER);
      }
      assertThat(fast.parse(text, 0, text.length, new RequestRow())).isEqualTo(text.length - 1);
    }
  }

  private static String damaged(String line, SplittableRandom random) {
    StringBuilder text = new StringBuilder(line);
    for (int hits = random.nextInt(3); hits > 0 && text.length() > 2; hits--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, DAMAGE.charAt(random.nextInt(DAMAGE.length())));
        case 2 -> text.setCharAt(at, DAMAGE.charAt(random.nextInt(DAMAGE.length())));
        default -> text.setLength(at + 1);
      }
    }
    return text.toString();
  }

  private void check(String line, String all, String as) {
    byte[] text = all.getBytes(StandardCharsets.UTF_8);
    RequestRow row = new RequestRow();
    int lineBreak = fast.parse(text, 0, text.length, row);
    if (lineBreak < 0) {
      return;
    }
    read++;
    int end = all.substring(0, all.indexOf('\n')).getBytes(StandardCharsets.UTF_8).length;
    assertThat(lineBreak).as("%s of %s", as, line).isEqualTo(end);
    RequestRow judged = new RequestRow();
    Verdict verdict = judge.parse(Arrays.copyOf(text, end), 0, end, judged);
    assertThat(verdict).as("%s of %s", as, line).isEqualTo(Verdict.REQUEST);
    row.finish();
    judged.finish();
    assertThat(values(row)).as("%s of %s", as, line).isEqualTo(values(judged));
  }

  private static List<Object> values(RequestRow row) {
    List<Object> values = new ArrayList<>();
    for (RequestColumn column : RequestColumn.all()) {
      values.add(column.kind() == Kind.TEXT ? row.text(column) : value(row, column));
    }
    return values;
  }

  private static Long value(RequestRow row, RequestColumn column) {
    return row.has(column) ? row.number(column) : null;
  }
}
