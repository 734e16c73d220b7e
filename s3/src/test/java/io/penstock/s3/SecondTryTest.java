/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.VirtualTime;
import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkGlobalTime;

/** What a second try can set right is set right without anybody noticing, and once. */
class SecondTryTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  /** The SDK's own clock is far from this one; only the differences count here. */
  private final VirtualTime serverTime = new VirtualTime(NOW);

  @Test
  void aWrongClockCostsOneRequestMoreAndThenNone() throws IOException {
    try (EmbeddedS3 server = server(Credentials.of("id", "secret"));
        ObjectStore store =
            open(server, Map.of("penstock.access.key", "id", "penstock.secret.key", "secret"))) {
      store.put("key", Body.ofBytes(new byte[10]), Condition.NONE);
      assertThat(server.counts().requests()).isEqualTo(Map.of("PutObject", 2L));

      store.get("key", new ByteRange(0, 10), Optional.empty());
      store.head("key");
      assertThat(server.counts().total()).isEqualTo(4);
    }
  }

  @Test
  void aClockThatIsChangedLaterIsFoundOutAgain() throws IOException {
    try (EmbeddedS3 server = server(Credentials.of("id", "secret"));
        ObjectStore store =
            open(server, Map.of("penstock.access.key", "id", "penstock.secret.key", "secret"))) {
      store.put("key", Body.ofBytes(new byte[10]), Condition.NONE);
      serverTime.advance(Duration.ofHours(2));
      server.resetCounts();

      store.put("key", Body.ofBytes(new byte[10]), Condition.NONE);

      assertThat(server.counts().requests()).isEqualTo(Map.of("PutObject", 2L));
    }
  }

  @Test
  void headIsToldOfAWrongClockByWayOfAGet() throws IOException {
    try (EmbeddedS3 server = server(Credentials.of("id", "secret"));
        ObjectStore store =
            open(server, Map.of("penstock.access.key", "id", "penstock.secret.key", "secret"))) {
      server.store("lake").put("key", Body.ofBytes(new byte[10]), Condition.NONE);
      server.store("lake").put("empty", Body.empty(), Condition.NONE);

      assertThat(store.head("key").sizeBytes()).isEqualTo(10);
      assertThat(store.head("empty").sizeBytes()).isZero();
    }
  }

  @BeforeEach
  @AfterEach
  void forgetTheClock() {
    // The SDK hands what one client has learned on to all that are built later.
    SdkGlobalTime.setGlobalTimeOffset(0);
  }

  /** An STS whose credentials are for one token after the other; the last one is given again. */
  private static RecordingServer sts(AtomicInteger asked, String... tokens) throws IOException {
    return RecordingServer.answering(
        r -> {
          String token = tokens[Math.min(asked.getAndIncrement(), tokens.length - 1)];
          return Answer.ok(
              """
              <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
              <AssumeRoleResult><Credentials>
              <AccessKeyId>id-%1$s</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
              <SessionToken>%1$s</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>
              </Credentials></AssumeRoleResult></AssumeRoleResponse>\
              """
                  .formatted(token));
        });
  }

  private static Map<String, String> role(RecordingServer sts) {
    return Map.of(
        "penstock.access.key", "base",
        "penstock.secret.key", "base-secret",
        "penstock.role.arn", "arn:aws:iam::1:role/etl",
        "penstock.role.sts.endpoint", sts.http());
  }

  private EmbeddedS3 serverOfRole() throws IOException {
    return server(
        Credentials.session("id-old", "secret", "old", Instant.EPOCH),
        Credentials.session("id-new", "secret", "new", NOW.plus(Duration.ofDays(9))));
  }

  @Test
  void credentialsThatExpiredBeforeTheirTimeAreRenewedOnceForAllThreads() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (RecordingServer sts = sts(asked, "old", "new");
        EmbeddedS3 server = serverOfRole();
        ObjectStore store = open(server, role(sts))) {
      ExecutorService threads = Executors.newFixedThreadPool(8);
      try {
        List<Callable<String>> puts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          String key = "key-" + i;
          puts.add(() -> store.put(key, Body.ofBytes(new byte[1]), Condition.NONE));
        }
        for (Future<String> put : threads.invokeAll(puts)) {
          assertThat(put.get()).isNotEmpty();
        }
      } finally {
        threads.shutdownNow();
      }
      assertThat(asked.get()).isEqualTo(2);
      server.resetCounts();
      store.put("later", Body.ofBytes(new byte[1]), Condition.NONE);
      assertThat(server.counts().total()).isEqualTo(1);
    }
  }

  @Test
  void headIsToldOfExpiredCredentialsByWayOfAGet() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (RecordingServer sts = sts(asked, "old", "new");
        EmbeddedS3 server = serverOfRole();
        ObjectStore store = open(server, role(sts))) {
      server.store("lake").put("key", Body.ofBytes(new byte[10]), Condition.NONE);
      assertThat(store.head("key").sizeBytes()).isEqualTo(10);
    }
  }

  @Test
  void aSourceThatHasNothingNewerIsAskedOnceAndTheRefusalStands() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (RecordingServer sts = sts(asked, "old");
        EmbeddedS3 server = serverOfRole();
        ObjectStore store = open(server, role(sts))) {
      assertThat(refusal(store).kind()).isEqualTo(Kind.EXPIRED_CREDENTIALS);
      assertThat(asked.get()).isEqualTo(2);
      assertThat(server.counts().total()).isEqualTo(1);
    }
  }

  @Test
  void keysFromTheSettingsAreNotTriedTwice() throws IOException {
    try (EmbeddedS3 server = serverOfRole();
        ObjectStore store =
            open(
                server,
                Map.of(
                    "penstock.access.key", "id-old",
                    "penstock.secret.key", "secret",
                    "penstock.session.token", "old"))) {
      assertThat(refusal(store).kind()).isEqualTo(Kind.EXPIRED_CREDENTIALS);
      assertThat(server.counts().total()).isEqualTo(1);
    }
  }

  private static StoreException refusal(ObjectStore store) {
    return catchThrowableOfType(
        StoreException.class, () -> store.put("key", Body.ofBytes(new byte[1]), Condition.NONE));
  }

  private EmbeddedS3 server(Credentials... known) throws IOException {
    EmbeddedS3.Builder builder =
        EmbeddedS3.builder().region("us-east-1").bucket("lake").time(serverTime);
    for (Credentials credentials : known) {
      builder.credentials(credentials);
    }
    return builder.start();
  }

  private static ObjectStore open(EmbeddedS3 server, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("penstock.endpoint", server.endpoint().toString());
    return TestStores.open("lake", Settings.of(all));
  }
}
