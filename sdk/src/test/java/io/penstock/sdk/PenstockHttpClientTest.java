/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.ThrottleRule;
import io.penstock.emulator.weather.Weather;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A client of the SDK that does not repeat by itself, with the engine under it. */
class PenstockHttpClientTest {
  private static final int MIB = 1 << 20;

  private EngineClient client;
  private EmbeddedS3 server;
  private S3Client s3;

  @BeforeEach
  void start() throws IOException {
    client = EngineClient.start(4, inner -> inner);
    server = client.server();
    s3 = client.s3();
  }

  @AfterEach
  void stop() {
    client.close();
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  private void faults(String rules) {
    client.faults(rules);
  }

  private void put(String key, byte[] content) {
    s3.putObject(b -> b.bucket("lake").key(key), RequestBody.fromBytes(content));
  }

  private byte[] get(String key) {
    return s3.getObjectAsBytes(b -> b.bucket("lake").key(key)).asByteArray();
  }

  private long sent(String operation) {
    return client.sent(operation);
  }

  @Test
  void everyOperationPasses() {
    put("a/1", bytes(10));
    put("a/2", bytes(20));
    assertThat(get("a/1")).isEqualTo(bytes(10));
    assertThat(s3.headObject(b -> b.bucket("lake").key("a/2")).contentLength()).isEqualTo(20);
    s3.copyObject(
        b -> b.sourceBucket("lake").sourceKey("a/2").destinationBucket("lake").destinationKey("b"));
    assertThat(s3.listObjectsV2(b -> b.bucket("lake").prefix("a/")).contents()).hasSize(2);
    s3.deleteObject(b -> b.bucket("lake").key("b"));
    s3.deleteObjects(
        b ->
            b.bucket("lake")
                .delete(
                    Delete.builder()
                        .objects(
                            ObjectIdentifier.builder().key("a/1").build(),
                            ObjectIdentifier.builder().key("a/2").build())
                        .build()));
    assertThat(s3.listObjectsV2(b -> b.bucket("lake")).contents()).isEmpty();
    assertThatThrownBy(() -> get("a/1")).isInstanceOf(NoSuchKeyException.class);
    assertThat(server.counts().requests())
        .isEqualTo(
            Map.of(
                "PutObject", 2L,
                "GetObject", 2L,
                "HeadObject", 1L,
                "CopyObject", 1L,
                "ListObjectsV2", 2L,
                "DeleteObject", 1L,
                "DeleteObjects", 1L));
  }

  @Test
  void uploadsPass() {
    String id = s3.createMultipartUpload(b -> b.bucket("lake").key("u")).uploadId();
    List<CompletedPart> parts = new ArrayList<>();
    for (int number = 1; number <= 2; number++) {
      int part = number;
      String etag =
          s3.uploadPart(
                  b -> b.bucket("lake").key("u").uploadId(id).partNumber(part),
                  RequestBody.fromBytes(bytes(5 * MIB)))
              .eTag();
      parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
    }
    s3.completeMultipartUpload(
        b -> b.bucket("lake").key("u").uploadId(id).multipartUpload(u -> u.parts(parts)));
    assertThat(get("u")).hasSize(10 * MIB);
  }

  @Test
  void whatFailsIsMadeAgain() {
    faults("PutObject#1=503,PutObject#2=500,PutObject#3=reset-before,PutObject#4=reset-after");
    put("a", bytes(1_000));
    assertThat(sent("PutObject")).isEqualTo(5);
    faults("GetObject#1=503,GetObject#2=truncate,GetObject#3=reset-before,HeadObject#1=500");
    assertThat(get("a")).isEqualTo(bytes(1_000));
    assertThat(s3.headObject(b -> b.bucket("lake").key("a")).contentLength()).isEqualTo(1_000);
    assertThat(sent("GetObject")).isEqualTo(4);
  }

  @Test
  void whatMeansSomethingElseTheSecondTimeGoesUp() {
    faults("PutObject#1=500,PutObject#2=503");
    assertThatThrownBy(
            () ->
                s3.putObject(
                    b -> b.bucket("lake").key("c").ifNoneMatch("*"), RequestBody.fromString("x")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(500));
    assertThat(sent("PutObject")).isEqualTo(1);
    // Throttled, so not carried out: it is made again.
    s3.putObject(b -> b.bucket("lake").key("c").ifNoneMatch("*"), RequestBody.fromString("x"));
    assertThat(sent("PutObject")).isEqualTo(3);
    assertThatThrownBy(
            () ->
                s3.putObject(
                    b -> b.bucket("lake").key("c").ifNoneMatch("*"), RequestBody.fromString("y")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
    assertThat(get("c")).isEqualTo("x".getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void aCompleteWhoseAnswerIsLostGoesUp() {
    String id = client.create("u");
    String etag = client.sendPart("u", id, bytes(10));
    faults("CompleteMultipartUpload#1=reset-after");
    assertThatThrownBy(() -> client.complete("u", id, etag)).hasMessageContaining("s3://lake/u");
    assertThat(sent("CompleteMultipartUpload")).isEqualTo(1);
  }

  @Test
  void aCompleteIsFoundToHaveSucceeded() {
    client.http().resolveBy(s3);
    String id = client.create("u");
    String etag = client.sendPart("u", id, bytes(10));
    faults("CompleteMultipartUpload#1=reset-after");
    assertThatThrownBy(() -> client.complete("u", id, etag)).hasMessageContaining("s3://lake/u");
    // As the SDK does when it repeats, and S3A above it.
    assertThat(client.complete("u", id, etag)).contains("-1");
    assertThat(sent("CompleteMultipartUpload")).isEqualTo(2);
    String other = client.sendPart("v", client.create("v"), bytes(20));
    assertThatThrownBy(() -> client.complete("u", id, other))
        .isInstanceOf(NoSuchUploadException.class);
  }

  @Test
  void aCompleteThatHangsGetsASecondAttempt() {
    client.http().resolveBy(s3);
    client.learn(40);
    String id = client.create("u");
    String etag = client.sendPart("u", id, bytes(10));
    faults("CompleteMultipartUpload#1=stall:600s");
    assertThat(client.complete("u", id, etag)).contains("-1");
    assertThat(get("u")).isEqualTo(bytes(10));
  }

  @Test
  void anUploadThatIsMadeLateIsAborted() throws InterruptedException {
    client.http().resolveBy(s3);
    client.learn(40);
    faults("CreateMultipartUpload#1=stall:2s");
    String id = client.create("u");
    assertThat(sent("CreateMultipartUpload")).as("the first one still waits").isEqualTo(41);
    for (int i = 0; i < 200 && sent("AbortMultipartUpload") == 0; i++) {
      Thread.sleep(50);
    }
    assertThat(s3.listMultipartUploads(b -> b.bucket("lake")).uploads())
        .extracting(MultipartUpload::uploadId)
        .containsExactly(id);
  }

  @Test
  void aPutThatHangsGetsASecondAttempt() {
    for (int i = 0; i < 40; i++) {
      put("a", bytes(1_000));
    }
    faults("PutObject#1=stall:600s");
    put("b", bytes(70_000));
    assertThat(get("b")).isEqualTo(bytes(70_000));
    assertThat(sent("PutObject")).as("the first one still hangs").isEqualTo(41);
  }

  @Test
  void aDeletionOfScratchGetsASecondAttemptAndAnotherOneWaits() {
    String scratch = "t/__magic_job-55bb4f84-677c-4530-a157-8e59df89422e/tasks/x";
    for (int i = 0; i < 40; i++) {
      s3.deleteObject(b -> b.bucket("lake").key(scratch));
    }
    faults("DeleteObject#1=stall:600s");
    s3.deleteObject(b -> b.bucket("lake").key(scratch));
    assertThat(sent("DeleteObject")).as("the first one still hangs").isEqualTo(41);
    faults("DeleteObject#1=stall:4s");
    s3.deleteObject(b -> b.bucket("lake").key("t/part-0"));
    assertThat(sent("DeleteObject")).as("the same one").isEqualTo(42);
  }

  @Test
  void aSuccessWithAnErrorInsideIsMadeAgain() {
    put("a", bytes(10));
    faults("CopyObject#1=500-inside");
    s3.copyObject(
        b -> b.sourceBucket("lake").sourceKey("a").destinationBucket("lake").destinationKey("b"));
    assertThat(sent("CopyObject")).isEqualTo(2);
    assertThat(get("b")).isEqualTo(bytes(10));
  }

  @Test
  void aBodyThatCanBeSentOnceIsSentOnce() {
    byte[] large = bytes(9 * MIB);
    faults("PutObject#1=503");
    assertThatThrownBy(() -> put("large", large))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(503));
    assertThat(sent("PutObject")).isEqualTo(1);
    put("large", large);
    assertThat(Arrays.equals(get("large"), large)).isTrue();
  }

  @Test
  void aStreamIsMadeAgainToo() {
    faults("PutObject#1=503");
    byte[] content = bytes(300_000);
    s3.putObject(
        b -> b.bucket("lake").key("stream"),
        RequestBody.fromInputStream(new ByteArrayInputStream(content), content.length));
    assertThat(get("stream")).isEqualTo(content);
  }

  @Test
  void largeContentComesWhileItIsRead() throws IOException {
    byte[] large = bytes(20 * MIB);
    put("large", large);
    try (ResponseInputStream<GetObjectResponse> in =
        s3.getObject(b -> b.bucket("lake").key("large"))) {
      assertThat(in.readNBytes(10)).isEqualTo(Arrays.copyOf(large, 10));
      in.abort();
    }
    try (InputStream in = s3.getObject(b -> b.bucket("lake").key("large").range("bytes=5-"))) {
      assertThat(Arrays.equals(in.readAllBytes(), Arrays.copyOfRange(large, 5, large.length)))
          .isTrue();
    }
  }

  @Test
  void aReadThatHangsGetsASecondAttempt() {
    put("a", bytes(1_000));
    for (int i = 0; i < 40; i++) {
      get("a");
    }
    faults("GetObject#1=stall:600s");
    assertThat(get("a")).isEqualTo(bytes(1_000));
    assertThat(sent("GetObject")).as("the first one still hangs").isEqualTo(41);
    // The pool has four connections; one that were kept by the loser would be missing here.
    for (int i = 0; i < 20; i++) {
      assertThat(get("a")).hasSize(1_000);
    }
  }

  @Test
  void aLostAnswerOfAPlainRequestIsAskedForAgain() {
    put("a", bytes(10));
    faults("HeadObject#1=500,GetObject#1=reset-after,DeleteObject#1=reset-after");
    assertThat(s3.headObject(b -> b.bucket("lake").key("a")).contentLength()).isEqualTo(10);
    assertThat(get("a")).hasSize(10);
    s3.deleteObject(b -> b.bucket("lake").key("a"));
    assertThat(sent("DeleteObject")).isEqualTo(2);
  }

  @Test
  void throttledWritersAllEnd() throws Exception {
    server.weather(Weather.CALM.withThrottle(ThrottleRule.ofS3().rates(40, 1_000).burst(1)));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> puts = new ArrayList<>();
      for (int i = 0; i < 160; i++) {
        String key = "t/" + i;
        puts.add(threads.submit(() -> put(key, bytes(100))));
      }
      for (Future<?> each : puts) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(s3.listObjectsV2(b -> b.bucket("lake").prefix("t/")).contents()).hasSize(160);
  }
}
