/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** A store, and a client of the SDK that does not repeat by itself, with the engine under it. */
record EngineClient(EmbeddedS3 server, OwnRequests own, PenstockHttpClient http, S3Client s3)
    implements AutoCloseable {
  /**
   * @param connections in the pool: one that is not given back soon keeps all others waiting
   * @param below what the engine is put around, made of a client of Apache's
   */
  static EngineClient start(int connections, UnaryOperator<SdkHttpClient> below)
      throws IOException {
    EmbeddedS3 server = EmbeddedS3.builder().bucket("lake").start();
    OwnRequests own = new OwnRequests();
    PenstockHttpClient http =
        new PenstockHttpClient(
            below.apply(Apache5HttpClient.builder().maxConnections(connections).build()),
            new Engine(SystemTime.INSTANCE, Chance.ofTheMachine()),
            "AWS SDK",
            Settings.of(Map.of("penstock.retry.delay.min", "1ms")),
            Optional.empty(),
            own);
    S3Client s3 =
        S3Client.builder()
            .endpointOverride(server.endpoint())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any-secret")))
            .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
            .httpClient(http)
            .build();
    return new EngineClient(server, own, http, s3);
  }

  void faults(String rules) {
    server.weather(Weather.CALM.withFaults(rules));
  }

  long sent(String operation) {
    return server.counts().of(operation);
  }

  String create(String key) {
    return s3.createMultipartUpload(b -> b.bucket("lake").key(key)).uploadId();
  }

  String sendPart(String key, String id, byte[] content) {
    return s3.uploadPart(
            b -> b.bucket("lake").key(key).uploadId(id).partNumber(1),
            RequestBody.fromBytes(content))
        .eTag();
  }

  String complete(String key, String id, String etag) {
    CompletedPart part = CompletedPart.builder().partNumber(1).eTag(etag).build();
    return s3.completeMultipartUpload(
            b -> b.bucket("lake").key(key).uploadId(id).multipartUpload(u -> u.parts(part)))
        .eTag();
  }

  /** Makes so many uploads of ten bytes, so that the engine knows how long they take. */
  void learn(int uploads) {
    for (int i = 0; i < uploads; i++) {
      String key = "u" + i;
      String id = create(key);
      complete(key, id, sendPart(key, id, new byte[10]));
    }
  }

  @Override
  public void close() {
    s3.close();
    http.close();
    server.close();
  }
}
