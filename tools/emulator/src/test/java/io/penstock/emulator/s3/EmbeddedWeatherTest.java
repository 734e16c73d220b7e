/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static io.penstock.emulator.s3.Lake.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.ListRequest;
import io.penstock.emulator.http.RawClient;
import io.penstock.emulator.weather.ThrottleRule;
import io.penstock.emulator.weather.Weather;
import io.penstock.s3model.Latency;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults, throttling and slowness of the embedded server. */
class EmbeddedWeatherTest {
  @TempDir Path directory;
  @AutoClose private Lake lake;

  @BeforeEach
  void start() throws IOException {
    lake = Lake.in(directory);
  }

  @Test
  void aResetAfterActingLosesTheAnswerButNotTheWrite() throws Exception {
    lake.s3.weather(Weather.CALM.withFaults("PutObject#2=reset-after,PutObject#3=reset-before"));
    lake.client.send("PUT", "/lake/1", "x");
    assertThatThrownBy(() -> lake.client.send("PUT", "/lake/2", "x"))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> lake.client.send("PUT", "/lake/3", "x"))
        .isInstanceOf(IOException.class);
    assertThat(lake.s3.store("lake").list(ListRequest.flat("")).objects())
        .extracting(object -> object.key())
        .containsExactly("1", "2");
    assertThat(lake.s3.counts().withStatus(0)).isEqualTo(lake.s3.counts().of("PutObject") - 1);
  }

  @Test
  void anErrorBeforeActingWritesNothingAndOneAfterDoes() throws Exception {
    lake.s3.weather(
        Weather.CALM.withFaults("PutObject#1=500,PutObject#2=500-after,PutObject#3=409"));
    assertError(lake.client.send("PUT", "/lake/1", "x"), 500, "InternalError");
    assertError(lake.client.send("PUT", "/lake/2", "x"), 500, "InternalError");
    assertError(lake.client.send("PUT", "/lake/3", "x"), 409, "ConditionalRequestConflict");
    assertThat(lake.s3.store("lake").list(ListRequest.flat("")).objects())
        .extracting(object -> object.key())
        .containsExactly("2");
    assertThat(lake.s3.counts().lines().get("PutObject").ofClass(5)).isEqualTo(2);
  }

  @Test
  void aTruncatedReadEndsEarly() throws Exception {
    lake.client.send("PUT", "/lake/k", "0123456789");
    lake.s3.weather(Weather.CALM.withFaults("GetObject#1=truncate"));
    try (RawClient raw = new RawClient(lake.s3.endpoint().getPort())) {
      raw.send("GET /lake/k HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(raw.readAll()).contains("Content-Length: 10\r\n").endsWith("\r\n\r\n01234");
    }
    assertThat(lake.client.send("GET", "/lake/k", "").body()).isEqualTo("0123456789");
  }

  @Test
  void aBusyPartitionSaysSlowDownAndTheOthersDoNot() throws Exception {
    lake.s3.weather(
        Weather.CALM.withThrottle(
            new ThrottleRule(
                1,
                List.of(),
                0.001,
                1_000,
                3_000,
                0,
                ThrottleRule.Growth.NONE))); // three writes, then none
    for (int i = 0; i < 3; i++) {
      assertThat(lake.client.send("PUT", "/lake/hot/" + i, "x").statusCode()).isEqualTo(200);
    }
    assertError(lake.client.send("PUT", "/lake/hot/3", "x"), 503, "SlowDown");
    assertThat(lake.client.send("PUT", "/lake/cold/3", "x").statusCode()).isEqualTo(200);
    assertThat(lake.client.send("GET", "/lake/hot/0", "").statusCode()).isEqualTo(200);
    assertThat(lake.s3.counts().withStatus(503)).isEqualTo(1);
  }

  @Test
  void aBulkDeleteIsThrottledByItsKeys() throws Exception {
    lake.s3.weather(Weather.CALM.withThrottle(ThrottleRule.ofS3().rates(4, 1_000).burst(1)));
    String keys = "<Object><Key>a</Key></Object>".repeat(900);
    assertThat(
            lake.client.send("POST", "/lake?delete", "<Delete>" + keys + "</Delete>").statusCode())
        .isEqualTo(200);
    assertError(lake.client.send("PUT", "/lake/k", "x"), 503, "SlowDown");
  }

  @Test
  void slowWeatherStillAnswersRight() throws Exception {
    lake.s3.weather(
        Weather.CALM
            .withLatency(Latency.constant(Duration.ofMillis(5)))
            .withBandwidth(10_000_000)
            .withFaults("GetObject#1=stall:10ms"));
    TestClient fresh = new TestClient(lake.s3.endpoint());
    fresh.send("PUT", "/lake/k", "hello");
    assertThat(fresh.send("GET", "/lake/k", "").body()).isEqualTo("hello");
  }
}
