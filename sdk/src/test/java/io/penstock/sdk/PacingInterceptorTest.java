/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.Settings;
import io.penstock.core.metrics.RequestEvent;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.Operation;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.ThrottleRule;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3BaseClientBuilder;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/** Clients as a program builds them, which find the interceptor in a jar. */
class PacingInterceptorTest {
  private final Engine engine = new Engine(SystemTime.INSTANCE, Chance.ofTheMachine());
  private final PacingInterceptor interceptor = new PacingInterceptor(engine, true);
  private final List<RequestEvent> events = new CopyOnWriteArrayList<>();
  private EmbeddedS3 server;

  @BeforeEach
  void start() throws IOException {
    server = EmbeddedS3.builder().bucket("lake").start();
    engine.events().add(events::add);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private <B extends S3BaseClientBuilder<B, ?>> B built(B builder, PacingInterceptor with) {
    return builder
        .endpointOverride(server.endpoint())
        .forcePathStyle(true)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any-secret")))
        .overrideConfiguration(o -> o.addExecutionInterceptor(with));
  }

  private S3Client client() {
    return built(S3Client.builder(), interceptor)
        .httpClient(Apache5HttpClient.builder().maxConnections(16).build())
        .build();
  }

  private static void put(S3Client s3, String key) {
    s3.putObject(b -> b.bucket("lake").key(key), RequestBody.fromBytes(new byte[10]));
  }

  private long attempts() {
    return engine.metrics().snapshot().total().attempts();
  }

  private long served() {
    return server.counts().requests().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void everyAttemptIsCountedOnce() {
    server.weather(Weather.CALM.withFaults("PutObject#2=500,GetObject#1=reset-after"));
    try (S3Client s3 = client()) {
      for (int i = 0; i < 5; i++) {
        put(s3, "a/" + i);
      }
      s3.getObjectAsBytes(b -> b.bucket("lake").key("a/1").range("bytes=0-4"));
      assertThatThrownBy(() -> s3.headObject(b -> b.bucket("lake").key("none")))
          .isInstanceOf(NoSuchKeyException.class);
      s3.deleteObjects(
          b ->
              b.bucket("lake")
                  .delete(
                      d ->
                          d.objects(
                              ObjectIdentifier.builder().key("a/1").build(),
                              ObjectIdentifier.builder().key("a/2").build())));
    }
    assertThat(attempts()).isEqualTo(served()).isEqualTo(5 + 1 + 2 + 1 + 1);
    assertThat(events)
        .extracting(RequestEvent::outcome)
        .containsOnlyOnce("SERVER_ERROR", "CONNECTION_LOST", "NO_SUCH_KEY");
    assertThat(events).extracting(RequestEvent::client).containsOnly("AWS SDK");
  }

  @Test
  void asynchronousClientsAreCountedToo() {
    server.weather(Weather.CALM.withFaults("PutObject#1=503"));
    try (S3AsyncClient s3 = built(S3AsyncClient.builder(), interceptor).build()) {
      s3.putObject(b -> b.bucket("lake").key("a"), AsyncRequestBody.fromBytes(new byte[10])).join();
      s3.getObject(b -> b.bucket("lake").key("a"), AsyncResponseTransformer.toBytes()).join();
    }
    assertThat(attempts()).isEqualTo(served()).isEqualTo(3);
    assertThat(events).extracting(RequestEvent::outcome).containsExactly("THROTTLED", "OK", "OK");
  }

  @Test
  void whatPassesTheEngineIsNotCountedTwice() {
    PenstockHttpClient http =
        new PenstockHttpClient(
            Apache5HttpClient.create(),
            engine,
            "AWS SDK",
            Settings.of(Map.of()),
            Optional.empty(),
            new OwnRequests());
    try (S3Client s3 = built(S3Client.builder(), interceptor).httpClient(http).build()) {
      put(s3, "a");
      put(s3, "b");
    }
    assertThat(attempts()).isEqualTo(2);
  }

  @Test
  void twoOfThemCountOnce() {
    server.weather(Weather.CALM.withFaults("PutObject#1=503"));
    try (S3Client s3 =
        built(S3Client.builder(), interceptor)
            .overrideConfiguration(
                o ->
                    o.addExecutionInterceptor(interceptor)
                        .addExecutionInterceptor(new PacingInterceptor(engine, true)))
            .httpClient(Apache5HttpClient.create())
            .build()) {
      put(s3, "a");
    }
    assertThat(attempts()).isEqualTo(served()).isEqualTo(2);
    assertThat(events).extracting(RequestEvent::outcome).containsExactly("THROTTLED", "OK");
  }

  @Test
  void whatIsReadIsCounted() {
    try (S3Client s3 = client()) {
      put(s3, "a");
      s3.getObjectAsBytes(b -> b.bucket("lake").key("a"));
    }
    assertThat(engine.metrics().snapshot().total().receivedBytes()).isEqualTo(10);
    assertThat(engine.metrics().snapshot().total().sentBytes()).isEqualTo(10);
  }

  @Test
  void aCopyIsAboutItsTarget() {
    try (S3Client s3 = client()) {
      put(s3, "a");
      s3.copyObject(
          b ->
              b.sourceBucket("lake")
                  .sourceKey("a")
                  .destinationBucket("lake")
                  .destinationKey("copies/a"));
    }
    assertThat(events.get(1).operation()).isEqualTo(Operation.COPY);
    assertThat(events.get(1).bucket() + " " + events.get(1).key()).isEqualTo("lake copies/a");
  }

  @Test
  void librariesAreToldApart() {
    for (String agent : List.of("Hadoop 3.4.2, extra", "s3fileio/abc")) {
      try (S3Client s3 =
          built(S3Client.builder(), interceptor)
              .overrideConfiguration(
                  o ->
                      o.addExecutionInterceptor(interceptor)
                          .putAdvancedOption(SdkAdvancedClientOption.USER_AGENT_PREFIX, agent))
              .httpClient(Apache5HttpClient.create())
              .build()) {
        put(s3, "a");
      }
    }
    assertThat(events).extracting(RequestEvent::client).containsExactly("S3A", "S3FileIO");
  }

  @Test
  void aThrottledStoreIsAskedAtTheRateThatItTakes() throws Exception {
    long without = throttledOf(new PacingInterceptor(engine, false));
    assertThat(attempts()).isZero();
    long with = throttledOf(interceptor);
    assertThat(attempts()).isPositive();
    assertThat(with).isLessThan(without / 2);
  }

  /** Writes 300 objects at 60 a second with 16 threads, and returns how often one was refused. */
  private long throttledOf(PacingInterceptor with) throws Exception {
    server.weather(Weather.CALM.withThrottle(ThrottleRule.ofS3().rates(60, 1_000).burst(1)));
    server.resetCounts();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try (S3Client s3 =
        built(S3Client.builder(), with)
            .overrideConfiguration(
                o -> o.addExecutionInterceptor(with).retryStrategy(r -> r.maxAttempts(50)))
            .httpClient(Apache5HttpClient.builder().maxConnections(16).build())
            .build()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        String key = "a/" + i;
        all.add(threads.submit(() -> put(s3, key)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return served() - 300;
  }

  /** For the engine, which repeats requests, a 503 alone would be an unknown end of these. */
  @Test
  void aThrottledCompletionIsThrottled() {
    server.weather(Weather.CALM.withFaults("CompleteMultipartUpload#1=503"));
    try (S3Client s3 = client()) {
      String id = s3.createMultipartUpload(b -> b.bucket("lake").key("a")).uploadId();
      String etag =
          s3.uploadPart(
                  b -> b.bucket("lake").key("a").uploadId(id).partNumber(1),
                  RequestBody.fromBytes(new byte[10]))
              .eTag();
      s3.completeMultipartUpload(
          b ->
              b.bucket("lake")
                  .key("a")
                  .uploadId(id)
                  .multipartUpload(
                      u -> u.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())));
    }
    assertThat(events)
        .extracting(RequestEvent::outcome)
        .containsExactly("OK", "OK", "THROTTLED", "OK");
  }

  @Test
  void whatFailsHereFailsNoRequest() {
    System.setProperty("penstock.rate.max", "many");
    try (S3Client s3 = client()) {
      put(s3, "a");
      put(s3, "b");
    } catch (SdkException e) {
      throw new AssertionError("a setting of Penstock's has failed a request", e);
    } finally {
      System.clearProperty("penstock.rate.max");
    }
    assertThat(served()).isEqualTo(2);
    assertThat(attempts()).isZero();
  }
}
