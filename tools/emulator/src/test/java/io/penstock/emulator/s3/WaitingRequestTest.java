/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.time.Time;
import io.penstock.emulator.http.RawClient;
import io.penstock.emulator.weather.RequestCounts;
import io.penstock.emulator.weather.Weather;
import io.penstock.s3model.Latency;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that the weather lets wait, for as long as the test says. */
class WaitingRequestTest {
  /** Long waits end when the test says so. */
  private static final class HeldTime implements Time {
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch goes = new CountDownLatch(1);

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (duration.toSeconds() > 0) {
        waits.countDown();
        goes.await();
      }
    }
  }

  private static RequestCounts.Snapshot afterAClientLeft(Weather weather) throws Exception {
    HeldTime time = new HeldTime();
    try (EmbeddedS3 held =
        EmbeddedS3.builder()
            .bucket("lake")
            .time(time)
            .weather(weather.withFaults("PutObject#1=stall:9s"))
            .start()) {
      try (RawClient raw = new RawClient(held.endpoint().getPort())) {
        raw.send("PUT /lake/k HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx");
        time.waits.await();
      }
      time.goes.countDown();
      while (held.counts().total() == 0) {
        Thread.onSpinWait();
      }
      return held.counts();
    }
  }

  @Test
  @Timeout(30)
  void aRequestWhoseClientLeftWhileItWaitedIsNotCarriedOutUnlessAsked() throws Exception {
    assertThat(afterAClientLeft(Weather.CALM).withStatus(0)).isEqualTo(1);
    assertThat(afterAClientLeft(Weather.CALM.actingForTheGone()).withStatus(200)).isEqualTo(1);
  }

  @Test
  void aRequestThatWaitedIsCarriedOutWithItsBody() throws Exception {
    HeldTime time = new HeldTime();
    time.goes.countDown();
    try (EmbeddedS3 held =
            EmbeddedS3.builder()
                .bucket("lake")
                .time(time)
                .weather(Weather.CALM.withFaults("PutObject#1=stall:9s"))
                .start();
        RawClient raw = new RawClient(held.endpoint().getPort())) {
      raw.send("PUT /lake/k HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
      assertThat(raw.readUntil("\r\n\r\n")).contains(" 200 ");
      raw.send("GET /lake/k HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      assertThat(raw.readAll()).endsWith("hello");
    }
  }

  @Test
  @Timeout(30)
  void oneOfSeveralAddressesCanBeSlow() throws Exception {
    HeldTime time = new HeldTime();
    try (EmbeddedS3 many =
        EmbeddedS3.builder()
            .host("127.0.0.1", "127.0.0.2")
            .bucket("lake")
            .time(time)
            .weather(Weather.CALM.withSlowAddresses(Map.of("127.0.0.2", Duration.ofSeconds(2))))
            .start()) {
      assertThat(many.endpoint()).hasHost("127.0.0.1");
      TestClient fast = new TestClient(many.endpoint());
      TestClient slow = new TestClient(URI.create("http://127.0.0.2:" + many.endpoint().getPort()));
      CompletableFuture<Integer> late =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return slow.send("GET", "/lake/k", "").statusCode();
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      time.waits.await();
      assertThat(fast.send("GET", "/lake/k", "").statusCode()).isEqualTo(404);
      assertThat(late).isNotDone();
      time.goes.countDown();
      assertThat(late.get()).isEqualTo(404);
    }
  }

  @Test
  void anOperationCanHaveALawOfItsOwn() throws Exception {
    HeldTime time = new HeldTime();
    time.goes.countDown();
    try (EmbeddedS3 held =
        EmbeddedS3.builder()
            .bucket("lake")
            .time(time)
            .weather(Weather.CALM.withLatencies(Latency.parseAll(Map.of("GetObject", "3s"))))
            .start()) {
      TestClient each = new TestClient(held.endpoint());
      each.send("PUT", "/lake/k", "x");
      assertThat(time.waits.getCount()).isEqualTo(1);
      each.send("GET", "/lake/k", "");
      assertThat(time.waits.getCount()).isZero();
    }
  }
}
