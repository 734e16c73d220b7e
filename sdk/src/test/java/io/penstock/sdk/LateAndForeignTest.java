/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Requests that the store acts on late, and requests and answers that are not the store's. */
class LateAndForeignTest {
  private final Below below = new Below();
  private EngineClient client;
  private S3Client s3;

  @BeforeEach
  void start() throws IOException {
    client =
        EngineClient.start(
            40,
            inner -> {
              below.inner = inner;
              return below;
            });
    s3 = client.s3();
  }

  @AfterEach
  void stop() {
    client.close();
  }

  /** Decides what becomes of one request: it is sent to the store, now or later, or not. */
  private interface Fate {
    HttpExecuteResponse call(ExecutableHttpRequest sending, CountDownLatch aborted)
        throws IOException;
  }

  private static final Fate NORMAL = (sending, aborted) -> sending.call();

  /** The next requests that match have these fates. */
  private static final class Below implements SdkHttpClient {
    private SdkHttpClient inner;
    private final Map<String, Deque<Fate>> fates = new ConcurrentHashMap<>();
    private final Map<String, Predicate<SdkHttpRequest>> matching = new ConcurrentHashMap<>();

    void next(String name, Predicate<SdkHttpRequest> which, Fate... all) {
      fates.put(name, new ArrayDeque<>(List.of(all)));
      matching.put(name, which);
    }

    private synchronized Fate fate(SdkHttpRequest request) {
      for (Map.Entry<String, Predicate<SdkHttpRequest>> each : matching.entrySet()) {
        Deque<Fate> own = fates.get(each.getKey());
        if (each.getValue().test(request) && !own.isEmpty()) {
          return own.removeFirst();
        }
      }
      return NORMAL;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      Fate fate = fate(request.httpRequest());
      if (fate == NORMAL) {
        return inner.prepareRequest(request);
      }
      CountDownLatch aborted = new CountDownLatch(1);
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          HttpExecuteRequest.Builder copy =
              HttpExecuteRequest.builder().request(request.httpRequest());
          if (request.contentStreamProvider().isPresent()) {
            byte[] body = request.contentStreamProvider().get().newStream().readAllBytes();
            copy.contentStreamProvider(() -> new ByteArrayInputStream(body));
          }
          return fate.call(inner.prepareRequest(copy.build()), aborted);
        }

        @Override
        public void abort() {
          aborted.countDown();
        }
      };
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Fate slow(long millis) {
    return (sending, aborted) -> {
      sleep(millis);
      return sending.call();
    };
  }

  /**
   * The store has the whole request and takes its time: it takes effect so much later, whether or
   * not the client has gone. The client's thread notices the abort after a while.
   */
  private static Fate late(long effectMillis, long noticedMillis) {
    return (sending, aborted) -> {
      new Thread(
              () -> {
                sleep(effectMillis);
                try {
                  sending.call();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              })
          .start();
      try {
        aborted.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (noticedMillis > 0) {
        sleep(noticedMillis);
      }
      throw new IOException("Socket closed");
    };
  }

  private void put(String key, String content) {
    s3.putObject(b -> b.bucket("lake").key(key), RequestBody.fromString(content));
  }

  private String get(String key) {
    return s3.getObjectAsBytes(b -> b.bucket("lake").key(key)).asUtf8String();
  }

  private boolean isThere(String key) {
    try {
      s3.headObject(b -> b.bucket("lake").key(key));
      return true;
    } catch (NoSuchKeyException e) {
      return false;
    }
  }

  private void deleteAll(String key) {
    DeleteObjectsResponse answer =
        s3.deleteObjects(
            b ->
                b.bucket("lake")
                    .delete(d -> d.objects(ObjectIdentifier.builder().key(key).build())));
    assertThat(answer.errors()).isEmpty();
  }

  private static Predicate<SdkHttpRequest> is(SdkHttpMethod method, String key) {
    return http -> http.method() == method && http.encodedPath().equals("/lake/" + key);
  }

  private static HttpExecuteResponse answer(int status, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(status)
                .putHeader("Content-Length", Integer.toString(body.length))
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }

  /** A partition column whose name begins with attempt_ is no scratch directory. */
  @Test
  void aTablePartitionedByAttemptDateIsNoScratch() {
    String key = "t/attempt_date=2026-11-30/part-00000";
    for (int i = 0; i < 40; i++) {
      deleteAll(key);
    }
    put(key, "old");
    below.next("delete", http -> http.rawQueryParameters().containsKey("delete"), late(4_000, 0));
    CompletableFuture<Void> deleted = CompletableFuture.runAsync(() -> deleteAll(key));
    try {
      deleted.get(3, TimeUnit.SECONDS);
    } catch (Exception stillWaiting) {
      return; // As for every other key: the only attempt is waited for.
    }
    put(key, "new");
    assertThat(get(key)).isEqualTo("new");
    sleep(5_000);
    assertThat(isThere(key)).as("what was written after the deletion was answered").isTrue();
  }

  /** The hedge of a PUT lost its race and is cut: what comes next must wait until it is over. */
  @Test
  void aDeletionWaitsForAHedgeThatHasJustBeenCut() {
    below.next("put", is(SdkHttpMethod.PUT, "b"), slow(2_700), late(5_000, 200));
    put("b", "v1");
    s3.deleteObject(b -> b.bucket("lake").key("b"));
    sleep(6_000);
    assertThat(isThere("b")).as("deleted, and back again").isFalse();
  }

  /** A job's clean-up waits for nothing: what comes back in its own directory, nobody reads. */
  @Test
  void aDeletionOfScratchDoesNotWait() {
    String key = "t/__magic_job-0123456789abcdef/x.pending";
    below.next("put", is(SdkHttpMethod.PUT, key), slow(2_700), late(5_000, 200));
    put(key, "v1");
    deleteAll(key);
    assertThat(isThere(key)).isFalse();
    sleep(6_000);
    assertThat(isThere(key)).as("back again, since the deletion came first").isTrue();
  }

  @Test
  void aNewerVersionWaitsForAHedgeThatHasJustBeenCut() {
    below.next("put", is(SdkHttpMethod.PUT, "b"), slow(2_700), late(5_000, 200));
    put("b", "v1");
    put("b", "v2");
    sleep(6_000);
    assertThat(get("b")).isEqualTo("v2");
  }

  /** A 503 of a proxy (Envoy) that lost the store's answer is not one of the store. */
  @Test
  void aProxys503IsNoRefusalToAct() {
    below.next(
        "put",
        is(SdkHttpMethod.PUT, "c"),
        (sending, aborted) -> {
          sending.call();
          return answer(
              503,
              "upstream connect error or disconnect/reset before headers. reset reason: connection"
                  + " termination");
        });
    assertThatThrownBy(
            () ->
                s3.putObject(
                    b -> b.bucket("lake").key("c").ifNoneMatch("*"), RequestBody.fromString("x")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(503));
  }

  /** One HTTP client for all clients of a program is usual. */
  @ParameterizedTest
  @CsvSource({
    "lambda, https://lambda.us-east-1.amazonaws.com/2015-03-31/functions/f/code",
    "s3tables, https://s3tables.us-east-1.amazonaws.com/tables/arn/ns",
    "s3, https://123456789012.s3-control.us-east-1.amazonaws.com/v20180820/accesspoint/a"
  })
  void whatIsOfAnotherServiceIsLeftAlone(String service, String uri) {
    String signed =
        "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/" + service + "/aws4_request, x=y";
    SdkHttpFullRequest request =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.PUT)
            .uri(URI.create(uri))
            .putHeader("Authorization", signed)
            .build();
    assertThat(HttpFacts.of(request, Optional.empty())).isEmpty();
  }
}
