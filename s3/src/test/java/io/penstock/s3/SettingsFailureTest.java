/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static io.penstock.s3.GuardedLake.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Failures of a bucket, a region or credentials that are not right, and the words that help. */
class SettingsFailureTest {
  @AutoClose private final GuardedLake lake = new GuardedLake();

  @Test
  void anUnknownBucketIsNamed() {
    StoreException e = lake.failure("nowhere", Map.of(), store -> store.list(ListRequest.flat("")));
    assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_BUCKET);
    assertThat(e)
        .hasMessageContaining("LIST s3://nowhere/")
        .hasMessageContaining(lake.server.endpoint().toString());
    assertThat(e.requestId()).isPresent();
    assertThat(lake.failure("nowhere", Map.of(), store -> put(store, "key")).kind())
        .isEqualTo(Kind.NO_SUCH_BUCKET);
  }

  /** MinIO takes the name in the endpoint for the bucket, and the bucket's name for a key. */
  @Test
  void aBucketInTheEndpointIsTold() throws IOException {
    try (RecordingServer server =
        RecordingServer.answering(r -> Answer.error(404, "NoSuchKey", "It is not there"))) {
      StoreException e =
          lake.failure(
              "lake",
              Map.of("penstock.endpoint", "http://127.0.0.1:" + server.port() + "/lake"),
              store -> store.list(ListRequest.flat("")));
      assertThat(e)
          .hasMessageContaining(
              "penstock.endpoint has the path /lake: remove it if it is the bucket's name.");
    }
  }

  @Test
  void aWrongRegionIsToldWithTheRightOne() {
    StoreException e =
        lake.failure("lake", Map.of("penstock.region", "us-east-1"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.WRONG_REGION);
    assertThat(e).hasMessageContaining("not in us-east-1: set penstock.region=eu-west-1");
  }

  @Test
  void aWrongSecretIsBadCredentials() {
    StoreException e =
        lake.failure("lake", Map.of("penstock.secret.key", "wrong"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
    assertThat(e)
        .hasMessageContaining("SignatureDoesNotMatch")
        .hasMessageContaining("penstock.access.key");
  }

  @Test
  void anUnknownKeyIdIsBadCredentials() {
    StoreException e =
        lake.failure(
            "lake", Map.of("penstock.access.key", "AKIAUNKNOWN"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
  }

  @Test
  void headTellsWhyItWasRefused() {
    StoreException e =
        lake.failure("lake", Map.of("penstock.secret.key", "wrong"), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
  }

  @Test
  void anExpiredSessionIsToldApart() {
    Map<String, String> old =
        Map.of("penstock.access.key", "AKIAOLD", "penstock.session.token", "old-token");
    assertThat(lake.failure("lake", old, store -> put(store, "key")).kind())
        .isEqualTo(Kind.EXPIRED_CREDENTIALS);
    StoreException head = lake.failure("lake", old, store -> store.head("key"));
    assertThat(head.kind()).isEqualTo(Kind.EXPIRED_CREDENTIALS);
    assertThat(head).hasMessageContaining("renew");
  }

  @Test
  void anonymousAccessThatIsNotAllowedIsDenied() {
    StoreException e =
        lake.failure(
            "lake", Map.of("penstock.credentials", "anonymous"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED);
  }

  @Test
  void noCredentialsAtAllSaysWhereTheyWereLookedFor() {
    StoreException e =
        lake.failure(
            "lake",
            Map.of("penstock.credentials", "profile", "penstock.profile", "missing"),
            store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
    assertThat(e).hasMessageContaining("the profile missing").hasMessageContaining("anonymous");
  }

  @Test
  void aRoleThatCannotBeAssumedIsToldWithTheReason() throws IOException {
    try (RecordingServer sts =
        RecordingServer.answering(
            r ->
                new Answer(
                    403,
                    Map.of(),
                    "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>"
                        + "may not assume</Message></Error><RequestId>S7</RequestId>"
                        + "</ErrorResponse>"))) {
      StoreException e =
          lake.failure(
              "lake",
              Map.of(
                  "penstock.role.arn",
                  "arn:aws:iam::1:role/etl",
                  "penstock.role.sts.endpoint",
                  sts.http()),
              store -> put(store, "key"));
      assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
      assertThat(e)
          .hasMessageContaining("the role arn:aws:iam::1:role/etl")
          .hasMessageContaining("may not assume");
    }
  }

  @Test
  void aReadOnlyBucketNamesThePermission() {
    StoreException e = lake.failure("archive", Map.of(), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED);
    assertThat(e).hasMessageContaining("s3:PutObject");
  }

  @Test
  void aReadOnlyBucketIsNotTakenForAStoreWithoutConditions() {
    StoreException e =
        lake.failure("archive", Map.of(), store -> store.supportsConditionalWrites("key"));
    assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED);
    assertThat(e).hasMessageContaining("penstock.conditional.writes");
  }
}
