/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.Settings;
import io.penstock.core.request.Attempt;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Uploads whose store carries out what it is asked, but whose answers are late or denied. */
class UploadOutcomesTest {
  private final CountDownLatch held = new CountDownLatch(1);
  private final AtomicInteger heldBack = new AtomicInteger();
  private EmbeddedS3 server;
  private PenstockHttpClient http;
  private S3Client s3;

  @BeforeEach
  void start() throws IOException {
    server = EmbeddedS3.builder().bucket("lake").start();
    http =
        new PenstockHttpClient(
            new HoldingBack(Apache5HttpClient.builder().maxConnections(6).build()),
            new Engine(SystemTime.INSTANCE, Chance.ofTheMachine()),
            "AWS SDK",
            Settings.of(Map.of("penstock.retry.delay.min", "1ms")),
            Optional.empty(),
            new OwnRequests());
    s3 =
        S3Client.builder()
            .endpointOverride(server.endpoint())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any-secret")))
            .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
            .httpClient(http)
            .build();
    http.resolveBy(s3);
  }

  @AfterEach
  void stop() {
    held.countDown();
    s3.close();
    server.close();
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

  private void faults(String rules) {
    server.weather(Weather.CALM.withFaults(rules));
  }

  private String create(String key) {
    return s3.createMultipartUpload(b -> b.bucket("lake").key(key)).uploadId();
  }

  private String sendPart(String key, String id) {
    return s3.uploadPart(
            b -> b.bucket("lake").key(key).uploadId(id).partNumber(1),
            RequestBody.fromString("content of the part"))
        .eTag();
  }

  private String complete(String key, String id, String etag) {
    CompletedPart part = CompletedPart.builder().partNumber(1).eTag(etag).build();
    return s3.completeMultipartUpload(
            b -> b.bucket("lake").key(key).uploadId(id).multipartUpload(u -> u.parts(part)))
        .eTag();
  }

  private void upload(String key) {
    String id = create(key);
    complete(key, id, sendPart(key, id));
  }

  private void learn() {
    for (int i = 0; i < 40; i++) {
      upload("u" + i);
    }
  }

  /** The second Complete is refused, and the object may not be looked at: the first one decides. */
  @ParameterizedTest
  @ValueSource(strings = {"403", "500", "bad-name"})
  void whereNothingIsProvedTheFirstAnswerCounts(String fault) throws Exception {
    learn();
    String id = create("u");
    String etag = sendPart("u", id);
    faults("HeadObject=" + fault);
    heldBack.set(1);
    CompletableFuture<String> completing =
        CompletableFuture.supplyAsync(() -> complete("u", id, etag));
    for (int i = 0; i < 400 && server.counts().of("HeadObject") == 0; i++) {
      Thread.sleep(50);
    }
    assertThat(server.counts().of("HeadObject")).isPositive();
    held.countDown();
    assertThat(completing.join()).contains("-1");
  }

  @Test
  void theObjectProvesThatTheFirstOneSucceeded() {
    learn();
    String id = create("u");
    String etag = sendPart("u", id);
    heldBack.set(1);
    assertThat(complete("u", id, etag)).as("while its answer is held back").contains("-1");
  }

  @Test
  void anOlderObjectIsNotTakenForTheNewOne() throws Exception {
    s3.putObject(b -> b.bucket("lake").key("u"), RequestBody.fromString("older"));
    String id = create("u");
    String etag = sendPart("u", id);
    assertThatThrownBy(() -> complete("u", "gone", etag)).isInstanceOf(NoSuchUploadException.class);
    complete("u", id, etag);
    assertThat(complete("u", id, etag)).as("again, after a lost answer").contains("-1");
  }

  @Test
  void aClosedClientCreatesNothing() {
    upload("u");
    s3.close();
    http.close();
    assertThatThrownBy(() -> create("v")).hasStackTraceContaining("the client is closed");
  }

  @Test
  void creationsThatHangLeaveConnectionsToOthers() throws Exception {
    learn();
    s3.putObject(b -> b.bucket("lake").key("a"), RequestBody.fromString("x"));
    faults("CreateMultipartUpload=stall:600s");
    Thread creating = new Thread(() -> assertThatThrownBy(() -> create("x")));
    creating.setDaemon(true);
    creating.start();
    // Two seconds a cut; each leaves one behind, but no more than four.
    for (int i = 0; i < 12; i++) {
      Thread.sleep(1_000);
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(
              () -> s3.headObject(b -> b.bucket("lake").key("a")).contentLength());
      assertThat(read.join()).isEqualTo(1);
    }
    assertThat(server.counts().of("CreateMultipartUpload")).isLessThan(41 + 20);
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
    OwnRequests own = new OwnRequests();
    own.by(s3);
    HttpFacts elsewhere =
        HttpFacts.of(
                SdkHttpFullRequest.builder()
                    .method(SdkHttpMethod.HEAD)
                    .uri(URI.create("https://x.mrap.accesspoint.s3-global.amazonaws.com/u"))
                    .build(),
                Optional.empty())
            .orElseThrow();
    http.resolveBy(s3);
    PenstockHttpClient other =
        new PenstockHttpClient(
            Apache5HttpClient.create(),
            new Engine(SystemTime.INSTANCE, Chance.ofTheMachine()),
            "AWS SDK",
            Settings.of(Map.of()),
            Optional.empty(),
            own);
    try (S3Client asking =
        S3Client.builder()
            .endpointOverride(server.endpoint())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any-secret")))
            .httpClient(other)
            .build()) {
      own.by(asking);
      assertThatThrownBy(() -> own.find(elsewhere)).hasMessageContaining("cannot be asked");
      assertThat(server.counts().of("HeadObject")).isZero();
    }
  }

  @Test
  void theStoresRefusalGoesUp() {
    String id = create("u");
    String etag = sendPart("u", id);
    faults("CompleteMultipartUpload#1=403");
    assertThatThrownBy(() -> complete("u", id, etag))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
  }
}
