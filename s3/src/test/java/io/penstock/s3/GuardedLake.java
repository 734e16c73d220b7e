/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A server that asks for credentials, and the failures of calls on it. */
final class GuardedLake implements AutoCloseable {
  static final String ID = "AKIATESTTESTTEST";
  static final String SECRET = "a-very-secret-key";

  final EmbeddedS3 server;
  private final S3Stores stores = TestStores.shared();

  GuardedLake() {
    try {
      server =
          EmbeddedS3.builder()
              .region("eu-west-1")
              .bucket("lake")
              .readOnlyBucket("archive")
              .credentials(Credentials.of(ID, SECRET))
              .credentials(Credentials.session("AKIAOLD", SECRET, "old-token", Instant.EPOCH))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  @FunctionalInterface
  interface Call {
    void on(ObjectStore store) throws IOException;
  }

  /** Sends faults, after one request has found the region, so that they meet those that follow. */
  void strike(String faults) throws IOException {
    try (ObjectStore store = open("lake", Map.of())) {
      put(store, "found");
    }
    server.weather(Weather.CALM.withFaults(faults));
  }

  /** Returns the failure of a PUT that meets this fault. */
  StoreException struckBy(String fault) throws IOException {
    strike("PutObject#1=" + fault);
    return failure("lake", Map.of(), store -> put(store, "key"));
  }

  /** Returns the failure of a PUT that gets this answer. */
  StoreException answered(Answer answer) throws IOException {
    try (RecordingServer answering = RecordingServer.answering(r -> answer)) {
      return failure("lake", endpoint(answering.http()), store -> put(store, "key"));
    }
  }

  StoreException failure(String bucket, Map<String, String> settings, Call call) {
    try (ObjectStore store = open(bucket, settings)) {
      ThrowingCallable thrower = () -> call.on(store);
      StoreException failure = catchThrowableOfType(StoreException.class, thrower);
      assertThat(failure).as("a failure of the store").isNotNull();
      assertThat(failure.toString()).doesNotContain(SECRET, ID);
      return failure;
    }
  }

  ObjectStore open(String bucket, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("penstock.endpoint", server.endpoint().toString());
    all.put("penstock.access.key", ID);
    all.put("penstock.secret.key", SECRET);
    all.put("penstock.connect.timeout", Duration.ofSeconds(2).toMillis() + "ms");
    all.putAll(settings);
    return stores.open(bucket, Settings.of(all));
  }

  static Map<String, String> endpoint(String url) {
    return Map.of("penstock.endpoint", url);
  }

  static void put(ObjectStore store, String key) throws IOException {
    store.put(key, Body.ofBytes("content".getBytes(UTF_8)), Condition.NONE);
  }
}
