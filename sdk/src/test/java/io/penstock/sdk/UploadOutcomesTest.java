/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.request.Attempt;
import io.penstock.core.time.SystemTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Uploads whose store carries out what it is asked, but whose answers are late or denied. */
class UploadOutcomesTest {
  private final CountDownLatch held = new CountDownLatch(1);
  private final AtomicInteger heldBack = new AtomicInteger();
  private EngineClient client;

  @BeforeEach
  void start() throws IOException {
    client = EngineClient.start(6, HoldingBack::new);
    client.http().resolveBy(client.s3());
  }

  @AfterEach
  void stop() {
    held.countDown();
    client.close();
  }

  /** Keeps the answer to a Complete until it is let go, if it is told to. */
  private final class HoldingBack implements SdkHttpClient {
    private final SdkHttpClient inner;

    HoldingBack(SdkHttpClient inner) {
      this.inner = inner;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      ExecutableHttpRequest sending = inner.prepareRequest(request);
      boolean isComplete =
          request.httpRequest().method() == SdkHttpMethod.POST
              && request.httpRequest().rawQueryParameters().containsKey("uploadId");
      if (!isComplete || heldBack.getAndDecrement() <= 0) {
        return sending;
      }
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          HttpExecuteResponse answer = sending.call();
          try {
            held.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          return answer;
        }

        @Override
        public void abort() {
          sending.abort();
          held.countDown();
        }
      };
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private String sendPart(String key, String id) {
    return client.sendPart(key, id, "content of the part".getBytes(StandardCharsets.UTF_8));
  }

  /** The second Complete is refused, and the object may not be looked at: the first one decides. */
  @ParameterizedTest
  @ValueSource(strings = {"403", "500", "bad-name"})
  void whereNothingIsProvedTheFirstAnswerCounts(String fault) throws Exception {
    client.learn(40);
    String id = client.create("u");
    String etag = sendPart("u", id);
    client.faults("HeadObject=" + fault);
    heldBack.set(1);
    CompletableFuture<String> completing =
        CompletableFuture.supplyAsync(() -> client.complete("u", id, etag));
    for (int i = 0; i < 400 && client.sent("HeadObject") == 0; i++) {
      Thread.sleep(50);
    }
    assertThat(client.sent("HeadObject")).isPositive();
    held.countDown();
    assertThat(completing.join()).contains("-1");
  }

  @Test
  void theObjectProvesThatTheFirstOneSucceeded() {
    client.learn(40);
    String id = client.create("u");
    String etag = sendPart("u", id);
    heldBack.set(1);
    assertThat(client.complete("u", id, etag)).as("while its answer is held back").contains("-1");
  }

  @Test
  void anOlderObjectIsNotTakenForTheNewOne() throws Exception {
    client.s3().putObject(b -> b.bucket("lake").key("u"), RequestBody.fromString("older"));
    String id = client.create("u");
    String etag = sendPart("u", id);
    assertThatThrownBy(() -> client.complete("u", "gone", etag))
        .isInstanceOf(NoSuchUploadException.class);
    client.complete("u", id, etag);
    assertThat(client.complete("u", id, etag)).as("again, after a lost answer").contains("-1");
  }

  @Test
  void aClosedClientCreatesNothing() {
    client.learn(1);
    client.s3().close();
    client.http().close();
    assertThatThrownBy(() -> client.create("v")).hasStackTraceContaining("the client is closed");
  }

  @Test
  void creationsThatHangLeaveConnectionsToOthers() throws Exception {
    client.learn(40);
    client.s3().putObject(b -> b.bucket("lake").key("a"), RequestBody.fromString("x"));
    client.faults("CreateMultipartUpload=stall:600s");
    Thread creating = new Thread(() -> assertThatThrownBy(() -> client.create("x")));
    creating.setDaemon(true);
    creating.start();
    // Two seconds a cut; each leaves one behind, but no more than four.
    for (int i = 0; i < 12; i++) {
      Thread.sleep(1_000);
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(
              () -> client.s3().headObject(b -> b.bucket("lake").key("a")).contentLength());
      assertThat(read.join()).isEqualTo(1);
    }
    assertThat(client.sent("CreateMultipartUpload")).isLessThan(41 + 20);
  }

  @Test
  void anUploadWithTheSameIdIsNotAborted() throws Exception {
    AtomicInteger aborts = new AtomicInteger();
    OwnRequests own = new OwnRequests();
    own.by(
        (S3Client)
            Proxy.newProxyInstance(
                S3Client.class.getClassLoader(),
                new Class<?>[] {S3Client.class},
                (proxy, method, arguments) -> aborts.incrementAndGet()));
    Background background = new Background(SystemTime.INSTANCE);
    HttpFacts facts =
        HttpFacts.of(
                SdkHttpFullRequest.builder()
                    .method(SdkHttpMethod.POST)
                    .uri(URI.create("http://127.0.0.1:9000/lake/u?uploads"))
                    .build(),
                Optional.empty())
            .orElseThrow();
    Creations all = new Creations(facts, own, background);
    CountDownLatch late = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Attempt slow = new Attempt();
    Thread first =
        new Thread(
            () -> {
              try {
                all.send(created(late), slow);
              } catch (IOException e) {
                done.countDown();
              }
            });
    first.start();
    HttpAnswer used = all.send(created(new CountDownLatch(0)), new Attempt());
    slow.cut("another attempt was faster");
    done.await();
    all.end(Optional.of(used));
    late.countDown();
    background.close();
    first.join();
    Thread.sleep(300);
    assertThat(aborts).hasValue(0);
  }

  private static ExecutableHttpRequest created(CountDownLatch when) {
    byte[] xml =
        "<InitiateMultipartUploadResult><UploadId>same</UploadId></InitiateMultipartUploadResult>"
            .getBytes(StandardCharsets.UTF_8);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        try {
          when.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        return HttpExecuteResponse.builder()
            .response(
                SdkHttpFullResponse.builder()
                    .statusCode(200)
                    .putHeader("Content-Length", Integer.toString(xml.length))
                    .build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(xml)))
            .build();
      }

      @Override
      public void abort() {}
    };
  }

  /** Its name in the request is not one that the store knows it by. */
  @Test
  void anObjectOfAnotherPlaceIsNotAskedFor() {
    HttpFacts elsewhere =
        HttpFacts.of(
                SdkHttpFullRequest.builder()
                    .method(SdkHttpMethod.HEAD)
                    .uri(URI.create("https://x.mrap.accesspoint.s3-global.amazonaws.com/u"))
                    .build(),
                Optional.empty())
            .orElseThrow();
    assertThatThrownBy(() -> client.own().find(elsewhere)).hasMessageContaining("cannot be asked");
    assertThat(client.sent("HeadObject")).isZero();
  }

  @Test
  void theStoresRefusalGoesUp() {
    String id = client.create("u");
    String etag = sendPart("u", id);
    client.faults("CompleteMultipartUpload#1=403");
    assertThatThrownBy(() -> client.complete("u", id, etag))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
  }
}
