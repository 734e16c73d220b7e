/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;

/** Answers and ends that a server does not give, from an HTTP client that is none. */
class HttpCallTest {
  private static final int MIB = 1 << 20;

  private final Deque<HttpExecuteResponse> answers = new ArrayDeque<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger aborts = new AtomicInteger();

  private final SdkHttpClient client =
      new PenstockHttpClient(
          new Scripted(),
          new Engine(SystemTime.INSTANCE, Chance.ofTheMachine()),
          "AWS SDK",
          Settings.of(Map.of("penstock.retry.delay.min", "1ms")),
          Optional.empty(),
          new OwnRequests());

  private final class Scripted implements SdkHttpClient {
    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          calls.incrementAndGet();
          return answers.removeFirst();
        }

        @Override
        public void abort() {
          aborts.incrementAndGet();
        }
      };
    }

    @Override
    public void close() {}
  }

  private void answers(int status, int announced, byte[] body) {
    answers.add(
        HttpExecuteResponse.builder()
            .response(
                SdkHttpFullResponse.builder()
                    .statusCode(status)
                    .putHeader("Content-Length", Integer.toString(announced))
                    .build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
            .build());
  }

  private ExecutableHttpRequest request(SdkHttpMethod method) {
    return client.prepareRequest(
        HttpExecuteRequest.builder()
            .request(
                SdkHttpFullRequest.builder()
                    .method(method)
                    .uri(URI.create("http://127.0.0.1:9000/lake/a"))
                    .build())
            .build());
  }

  private ExecutableHttpRequest request(String range) {
    return client.prepareRequest(
        HttpExecuteRequest.builder()
            .request(
                SdkHttpFullRequest.builder()
                    .method(SdkHttpMethod.GET)
                    .uri(URI.create("http://127.0.0.1:9000/lake/a"))
                    .putHeader("Range", range)
                    .build())
            .build());
  }

  @Test
  void anAnswerToHeadHasALengthAndNoContent() throws IOException {
    answers(200, 1_000, new byte[0]);
    assertThat(request(SdkHttpMethod.HEAD).call().httpResponse().statusCode()).isEqualTo(200);
    assertThat(calls).hasValue(1);
  }

  @Test
  void contentThatEndsEarlyIsAskedForAgain() throws IOException {
    answers(200, 1_000, new byte[999]);
    answers(200, 1_000, new byte[1_000]);
    HttpExecuteResponse answer = request(SdkHttpMethod.GET).call();
    assertThat(answer.responseBody().orElseThrow().readAllBytes()).hasSize(1_000);
    assertThat(calls).hasValue(2);
  }

  @Test
  void whatTheStoreCannotDoGoesUpAtOnce() throws IOException {
    answers(501, 0, new byte[0]);
    assertThat(request(SdkHttpMethod.PUT).call().httpResponse().statusCode()).isEqualTo(501);
    assertThat(calls).hasValue(1);
  }

  @Test
  void aRefusalIsThatOfItsOwnAttempt() throws IOException {
    answers(503, 0, new byte[0]);
    answers(404, 0, new byte[0]);
    assertThat(request(SdkHttpMethod.GET).call().httpResponse().statusCode()).isEqualTo(404);
    assertThat(calls).hasValue(2);
  }

  @Test
  void contentThatIsStillComingCanBeAborted() throws IOException {
    byte[] large = new byte[2 * MIB];
    answers(200, large.length, large);
    ExecutableHttpRequest request = request(SdkHttpMethod.GET);
    HttpExecuteResponse answer = request.call();
    assertThat(aborts).hasValue(0);
    request.abort();
    assertThat(aborts).hasValue(1);
    assertThat(Arrays.equals(answer.responseBody().orElseThrow().readAllBytes(), large)).isTrue();
  }

  @Test
  void whoeverRepeatsAboveDoesNotGetAllRetriesEachTime() throws IOException {
    for (int i = 0; i < 24; i++) {
      answers(500, 0, new byte[0]);
    }
    assertThat(request(SdkHttpMethod.GET).call().httpResponse().statusCode()).isEqualTo(500);
    assertThat(calls).hasValue(24);
    answers(500, 0, new byte[0]);
    assertThat(request(SdkHttpMethod.GET).call().httpResponse().statusCode()).isEqualTo(500);
    assertThat(calls).hasValue(25);
    answers(200, 0, new byte[0]);
    assertThat(request(SdkHttpMethod.GET).call().httpResponse().statusCode()).isEqualTo(200);
  }

  @Test
  void contentWithoutRoomComesAsItArrives() throws IOException {
    byte[] content = new byte[8 * MIB];
    List<HttpExecuteResponse> unread = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      answers(200, content.length, content);
      unread.add(request("bytes=0-" + (content.length - 1)).call());
    }
    answers(200, 10, new byte[9]);
    assertThat(request("bytes=0-9").call().responseBody().orElseThrow().readAllBytes())
        .as("without room the reader gets the short answer itself")
        .hasSize(9);
    for (HttpExecuteResponse each : unread) {
      assertThat(each.responseBody().orElseThrow().readAllBytes()).hasSize(content.length);
    }
    answers(200, 10, new byte[9]);
    answers(200, 10, new byte[10]);
    assertThat(request("bytes=0-9").call().responseBody().orElseThrow().readAllBytes()).hasSize(10);
  }

  @Test
  void aSettingThatDoesNotExistIsRefused() {
    assertThatThrownBy(
            () -> PenstockHttpClient.around(client, Map.of("penstock.rate.polcy", "backoff")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("penstock.rate.policy");
  }
}
