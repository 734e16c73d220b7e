/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorTextTest {
  @Test
  void sdk2NamesTheAnswerBehindItsMessage() {
    assertThat(
            ErrorText.in(
                "S3Exception: Please reduce your request rate. (Service: S3, Status Code: 503,"
                    + " Request ID: 4SX, Extended Request ID: b/c+d=) (SDK Attempt Count: 6)"))
        .containsExactly(new ErrorText(503, "SlowDown", "4SX"));
  }

  @Test
  void s3aPutsTheCodeBehindIt() {
    assertThat(
            ErrorText.in(
                "AccessDeniedException: a: S3Exception: Denied (Service: S3, Status Code: 403,"
                    + " Request ID: 4SX):AccessDenied: Denied (Service: S3, Status Code: 403,"
                    + " Request ID: 4SX)"))
        .containsExactly(new ErrorText(403, "AccessDenied", "4SX"), new ErrorText(403, "", "4SX"));
  }

  @Test
  void sdk1NamesTheCode() {
    assertThat(
            ErrorText.in(
                "AmazonS3Exception: Slow Down (Service: Amazon S3; Status Code: 503; Error Code:"
                    + " SlowDown; Request ID: 4SX; S3 Extended Request ID: bc=; Proxy: null)"))
        .containsExactly(new ErrorText(503, "SlowDown", "4SX"));
  }

  @Test
  void anAnswerMayHaveNoId() {
    assertThat(ErrorText.in("(Service: S3, Status Code: 412, Request ID: null)"))
        .containsExactly(new ErrorText(412, "", ""));
  }

  @Test
  void nullIsNoCode() {
    assertThat(ErrorText.in("null (Service: S3, Status Code: 404, Request ID: 4SX):null: null"))
        .containsExactly(new ErrorText(404, "", "4SX"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Status Code: 503",
        "(Service: Glue, Status Code: 503, Request ID: 4SX)",
        "(Service: S3, Status Code: 200, Request ID: 4SX)",
        "(Service: S3, Status Code: 503",
        "(Service: S3, Status Code: 503, Request ID: 4SX",
      })
  void otherTextsNameNone(String text) {
    assertThat(ErrorText.in(text)).isEmpty();
  }

  /** Ten thousand beginnings of an answer, none of which ends. */
  @Test
  void aHostileTextTakesNoTime() {
    String text = "(Service: S3, Status Code: 503".repeat(10_000) + ",".repeat(100_000);
    assertThat(ErrorText.in(text)).isEmpty();
  }

  @Test
  void anAnswerCountsOnceAndKeepsWhatEachMessageKnows() {
    ErrorTexts texts = new ErrorTexts();
    String slow = "reduce your request rate (Service: S3, Status Code: 503, Request ID: A)";
    texts.read("", "", 0, slow, "driver");
    texts.read("app-1", "7", 2_000_000, "(Service: S3, Status Code: 503, Request ID: A)", "x");
    texts.read("app-1", "7", 3_500_000, "(Service: S3, Status Code: 503, Request ID: B)", "x");
    texts.read("app-1", "8", 3_000_000, slow.replace(": A", ": B"), "x");
    texts.read(
        "app-1", "", 0, "(Service: S3, Status Code: 403) (Service: S3, Status Code: 403)", "x");

    List<List<Object>> rows = texts.table().rows();
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).subList(0, 6)).containsExactly("app-1", 403L, null, 1L, 0L, 0L);
    assertThat(rows.get(1).subList(0, 6)).containsExactly("app-1", 503L, "SlowDown", 2L, 2L, 2L);
    assertThat(rows.get(1).get(6)).hasToString("1970-01-01T00:00:02Z");
    assertThat(rows.get(1).get(7)).hasToString("1970-01-01T00:00:03Z");
  }
}
