/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.VirtualTime;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestAuthenticatorTest {
  private static final Credentials KNOWN = Credentials.of("AKIAKNOWN", "secret");
  private static final Credentials SESSION =
      Credentials.session("ASIASESSION", "secret2", "token", Instant.parse("2026-01-01T01:00:00Z"));

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private EmbeddedS3 s3;
  private TestClient client;

  @BeforeEach
  void start() throws Exception {
    s3 =
        EmbeddedS3.builder()
            .bucket("lake")
            .region("eu-central-1")
            .credentials(KNOWN)
            .credentials(SESSION)
            .time(time)
            .start();
    client = new TestClient(s3.endpoint());
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  private HttpResponse<String> list(String dateTime, String region, Credentials who, String token)
      throws Exception {
    String target = "/lake?list-type=2&prefix=a%20b";
    String authorization = client.authorization("GET", target, dateTime, region, who);
    return token.isEmpty()
        ? client.send("GET", target, "", "x-amz-date", dateTime, "Authorization", authorization)
        : client.send(
            "GET",
            target,
            "",
            "x-amz-date",
            dateTime,
            "Authorization",
            authorization,
            "x-amz-security-token",
            token);
  }

  private static void assertRefused(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("<Code>" + code + "</Code>");
  }

  @Test
  void aGoodSignatureGoesThrough() throws Exception {
    assertThat(list("20260101T000000Z", "eu-central-1", KNOWN, "").statusCode()).isEqualTo(200);
  }

  @Test
  void noSignatureIsDenied() throws Exception {
    assertRefused(client.send("GET", "/lake?list-type=2", ""), 403, "AccessDenied");
  }

  @Test
  void anUnknownKeyAndAWrongSecretAreToldApart() throws Exception {
    assertRefused(
        list("20260101T000000Z", "eu-central-1", Credentials.of("AKIAOTHER", "secret"), ""),
        403,
        "InvalidAccessKeyId");
    assertRefused(
        list("20260101T000000Z", "eu-central-1", Credentials.of("AKIAKNOWN", "wrong"), ""),
        403,
        "SignatureDoesNotMatch");
  }

  @Test
  void aWrongRegionIsToldTheRightOne() throws Exception {
    HttpResponse<String> answer = list("20260101T000000Z", "us-east-1", KNOWN, "");
    assertRefused(answer, 400, "AuthorizationHeaderMalformed");
    assertThat(answer.body()).contains("<Region>eu-central-1</Region>");
    assertThat(answer.headers().firstValue("x-amz-bucket-region")).hasValue("eu-central-1");
  }

  @Test
  void aClockThatIsOffByMoreThanAQuarterIsRefused() throws Exception {
    assertThat(list("20260101T001459Z", "eu-central-1", KNOWN, "").statusCode()).isEqualTo(200);
    assertRefused(list("20260101T001501Z", "eu-central-1", KNOWN, ""), 403, "RequestTimeTooSkewed");
  }

  @Test
  void aSessionNeedsItsTokenAndEnds() throws Exception {
    assertThat(list("20260101T000000Z", "eu-central-1", SESSION, "token").statusCode())
        .isEqualTo(200);
    assertRefused(list("20260101T000000Z", "eu-central-1", SESSION, ""), 400, "InvalidToken");
    assertRefused(list("20260101T000000Z", "eu-central-1", KNOWN, "expired"), 400, "ExpiredToken");
    time.advance(Duration.ofHours(1));
    assertRefused(list("20260101T010000Z", "eu-central-1", SESSION, "token"), 400, "ExpiredToken");
  }

  @Test
  void anAuthorizationThatIsNoneIsMalformed() throws Exception {
    HttpResponse<String> answer = client.send("GET", "/lake", "", "Authorization", "Basic eDp5");
    assertRefused(answer, 400, "AuthorizationHeaderMalformed");
  }
}
