/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Lines that were damaged at random, read by the parser and by a regular expression. */
class AccessLogFuzzTest {
  // Reads every published line that was found; slow, and the parser's judge.
  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+) +(\\S+) +\\[(\\d\\d/[A-Z][a-z]{2}/\\d{4}(?::\\d\\d){3} [+-]\\d{4})] +(\\S+)"
              + " +(\\S+) +(\\S+) +(\\S+) +(\\S+) +(-|\"-\"|\".*?\") +(-|\\d{3}) +(\\S+)"
              + " +(-|\\d{1,18}) +(-|\\d{1,18}) +(-|\\d{1,18}) +(-|\\d{1,18})(?: .*)?");
  private static final String[] LINES = {
    "79a5 lake [04/Jun/2024:14:40:12 +0000] 10.0.1.7 arn:aws:iam::1:role/x 3E57 REST.PUT.PART a/b"
        + " \"PUT /a/b?partNumber=3&uploadId=U HTTP/1.1\" 503 SlowDown 271 54 87 12 \"-\" \"ua\" -"
        + " h SigV4",
    "o b [06/Feb/2012:00:00:38 -0500] 192.0.2.3 - 3E57 REST.GET.OBJECT \u0434 - 200 - 1 2 3 4 - -",
    "o b [06/Feb/2012:00:00:38 -0500] - - - REST.HEAD.OBJECT k \"HEAD /\"k\" HTTP/1.1\" 404"
        + " NoSuchKey - - 9 - \"x\"y\" \"z\" -",
  };
  private static final String DAMAGE = " \"-%?&=[]:/\u0434\u0000x0 9";

  @Test
  void aDamagedLineIsReadAsTheRegularExpressionReadsItOrRejected() {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200_000; i++) {
      String line = damaged(LINES[random.nextInt(LINES.length)], random);
      check(
          line,
          "line %s; replay with -Dtest=AccessLogFuzzTest -Dpenstock.test.seed=%d"
              .formatted(line, seed));
    }
  }

  private static String damaged(String line, SplittableRandom random) {
    StringBuilder text = new StringBuilder(line);
    for (int hits = random.nextInt(4); hits > 0 && text.length() > 2; hits--) {
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

  private static void check(String line, String as) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    RequestRow row = new RequestRow();
    Verdict verdict = new AccessLogParser().parse(bytes, 0, bytes.length, row);
    row.finish();
    Matcher judge = LINE.matcher(line);
    if (!judge.matches()) {
      return;
    }
    if (!verdict.equals(Verdict.REQUEST)) {
      // The expression does not know how many days a month has, nor what an operation looks like.
      assertThat(verdict.reason()).as(as).isIn("its time cannot be read", "it names no operation");
      return;
    }
    same(judge.group(2), row.text(RequestColumn.BUCKET), as);
    same(judge.group(4), row.text(RequestColumn.CLIENT_IP), as);
    same(judge.group(6), row.text(RequestColumn.REQ_ID), as);
    if (judge.group(9).indexOf('"', 1) == judge.group(9).length() - 1) {
      same(
          judge.group(10),
          row.has(RequestColumn.STATUS) ? "" + row.number(RequestColumn.STATUS) : null,
          as);
      same(judge.group(11), row.text(RequestColumn.ERR), as);
    }
  }

  private static void same(String expected, String actual, String as) {
    String said = expected.equals("-") ? null : expected;
    if (said != null && said.matches("\\d+")) {
      said = said.replaceFirst("^0+(?=\\d)", "");
      actual = actual == null ? null : actual.replaceFirst("^0+(?=\\d)", "");
    }
    assertThat(actual).as(as).isEqualTo(said);
  }

  @Test
  void anyBytesAtAllAreReadOrRejected() {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      Verdict verdict = new AccessLogParser().parse(bytes, 0, bytes.length, new RequestRow());
      assertThat(verdict)
          .as("replay with -Dtest=AccessLogFuzzTest -Dpenstock.test.seed=" + seed)
          .isNotNull();
    }
  }
}
