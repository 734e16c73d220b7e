/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GreetingCheckTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final ScriptedReach HTTP = ScriptedReach.at("http://store.example:9000/lake");
  private static final ScriptedReach HTTPS = ScriptedReach.at("https://store.example/lake");

  private static Greeting greeting(int status, Instant date, String region, String tls) {
    return new Greeting(
        status,
        Optional.ofNullable(date),
        NOON,
        Duration.ofMillis(100),
        Optional.ofNullable(region),
        Optional.of("MinIO"),
        Optional.ofNullable(tls));
  }

  private record Scripted(Greeting greeting, IOException failure, boolean isTls)
      implements Greeter {
    @Override
    public Greeting greet(URI url) throws IOException {
      if (failure != null) {
        throw failure;
      }
      return greeting;
    }

    @Override
    public boolean speaksTls(String host, int port) {
      return isTls;
    }
  }

  private static CheckOutcome failed(ScriptedReach reach, IOException failure, boolean isTls)
      throws InterruptedException {
    List<CheckOutcome> outcomes =
        new GreetingCheck(new Scripted(null, failure, isTls), reach).look();
    assertThat(outcomes).hasSize(1);
    assertThat(outcomes.get(0).verdict()).isEqualTo(FAIL);
    return outcomes.get(0);
  }

  @Test
  void anAnswerTellsOfTlsClockAndRegion() throws InterruptedException {
    Greeting greeting = greeting(403, NOON, "us-east-1", "TLSv1.3");
    List<CheckOutcome> outcomes =
        new GreetingCheck(new Scripted(greeting, null, true), HTTPS).look();

    assertThat(outcomes)
        .extracting(CheckOutcome::check)
        .containsExactly("connection", "TLS", "clock", "region");
    assertThat(outcomes).extracting(CheckOutcome::verdict).containsOnly(PASS);
  }

  @Test
  void eachWayNotToAnswerHasItsOwnFix() throws InterruptedException {
    assertThat(failed(HTTP, new ConnectException(), false).said()).contains("refuses connections");
    assertThat(failed(HTTP, new HttpConnectTimeoutException("HTTP connect timed out"), false).fix())
        .contains("network policy");
    assertThat(failed(HTTP, new IOException("EOF reached"), true).fix())
        .isEqualTo(
            "Write the endpoint with https:// (penstock.endpoint=https://store.example:9000).");
    assertThat(failed(HTTP, new IOException("EOF reached"), false).said())
        .contains("breaks the connection");
    assertThat(
            failed(
                    HTTPS,
                    new SSLHandshakeException(
                        "PKIX path building failed: x: unable to find valid certification path to"
                            + " requested target"),
                    true)
                .fix())
        .contains("-Djavax.net.ssl.trustStore");
    assertThat(
            failed(
                    HTTPS,
                    new SSLHandshakeException("Unrecognized SSL message, plaintext connection?"),
                    false)
                .fix())
        .contains("http://store.example");
  }

  @Test
  void aTlsPortThatAnswersHttpInWordsIsKnown() throws InterruptedException {
    Greeting greeting = greeting(400, null, null, null);
    assertThat(new GreetingCheck(new Scripted(greeting, null, true), HTTP).look())
        .extracting(CheckOutcome::said)
        .containsExactly("http://store.example:9000 uses plain http, but the port expects TLS");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T12:00:00Z, PASS",
    "2026-03-01T12:00:01Z, PASS",
    "2026-03-01T12:00:30Z, WARN",
    "2026-03-01T11:58:00Z, WARN",
    "2026-03-01T12:16:00Z, FAIL",
    "2026-03-01T11:00:00Z, FAIL",
  })
  void theClockIsComparedWithTheStores(String date, String verdict) {
    CheckOutcome outcome = ClockCheck.judge(greeting(200, Instant.parse(date), null, null));
    assertThat(outcome.verdict()).hasToString(verdict);
  }

  @Test
  void theSignOfTheSkewIsRight() {
    CheckOutcome behind = ClockCheck.judge(greeting(200, NOON.plusSeconds(60), null, null));
    assertThat(behind.said()).isEqualTo("60.5 s behind the store's");
    assertThat(behind.numbers()).containsEntry("skewMillis", -60_450L);
    assertThat(ClockCheck.judge(greeting(200, null, null, null)).verdict()).isEqualTo(SKIPPED);
  }

  @Test
  void aBucketElsewhereIsADetourOrAFailure() {
    Greeting inFrankfurt = greeting(403, NOON, "eu-central-1", "TLSv1.3");

    CheckOutcome detour = Region.judge(HTTPS.aws(), inFrankfurt);
    assertThat(detour.verdict()).isEqualTo(WARN);
    assertThat(detour.fix()).startsWith("Set penstock.region=eu-central-1.");
    assertThat(Region.judge(HTTPS.aws().fixedTo("us-west-2"), inFrankfurt).verdict())
        .isEqualTo(FAIL);
    assertThat(Region.judge(HTTPS.aws().fixedTo("eu-central-1"), inFrankfurt).verdict())
        .isEqualTo(PASS);
    assertThat(Region.judge(HTTPS, greeting(403, NOON, null, null)).verdict()).isEqualTo(SKIPPED);
  }

  @Test
  void plainHttpIsFineOnThisMachineOnly() {
    Greeting plain = greeting(200, NOON, null, null);
    assertThat(EncryptionCheck.judge(URI.create("http://127.0.0.1:9000/lake"), plain).verdict())
        .isEqualTo(PASS);
    assertThat(EncryptionCheck.judge(HTTP.bucketUrl(), plain).verdict()).isEqualTo(WARN);
    assertThat(
            EncryptionCheck.judge(HTTPS.bucketUrl(), greeting(200, NOON, null, "TLSv1")).verdict())
        .isEqualTo(WARN);
  }
}
