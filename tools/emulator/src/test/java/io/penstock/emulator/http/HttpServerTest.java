/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.emulator.http.HttpResponse.Delivery;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpServerTest {
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.start(ServerOptions.onPort(0), HttpServerTest::answer);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Repeats target and body; some targets misbehave. */
  private static HttpResponse answer(HttpRequest request) throws IOException {
    Headers headers = new Headers().add("X-Target", request.target());
    return switch (request.target()) {
      case "/unread" -> HttpResponse.of(503, headers, Payload.empty());
      case "/reset" -> HttpResponse.reset();
      case "/bug" -> throw new IllegalStateException("on purpose");
      case "/truncated" ->
          HttpResponse.of(200, headers, Payload.of(new byte[100])).delivered(Delivery.TRUNCATED);
      case "/short" -> HttpResponse.of(200, headers, payload(10, "12345"));
      case "/unknown" -> HttpResponse.of(200, headers, payload(Payload.UNKNOWN, "12345"));
      default -> HttpResponse.of(200, headers, Payload.of(request.body().readAllBytes()));
    };
  }

  private static Payload payload(long told, String text) {
    return new Payload() {
      @Override
      public long lengthBytes() {
        return told;
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(text.getBytes(UTF_8));
      }
    };
  }

  private String exchange(String request) throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      return client.send(request).readAll();
    }
  }

  @Test
  void aBodyOfDeclaredLengthArrives() throws IOException {
    String answer =
        exchange("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
    assertThat(answer)
        .isEqualTo(
            "HTTP/1.1 200 OK\r\nX-Target: /a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
  }

  @Test
  void aChunkedBodyArrivesDecoded() throws IOException {
    String head =
        "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    String chunks = "3;ext=1\r\nabc\r\n0002\r\nde\r\n0\r\nTrailer: x\r\n\r\n";
    String answer = exchange(head + chunks);
    assertThat(answer).endsWith("\r\n\r\nabcde");
  }

  @Test
  void oneConnectionCarriesManyRequests() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      for (int i = 0; i < 3; i++) {
        client.send("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
        assertThat(client.readUntil("abc")).startsWith("HTTP/1.1 200 OK").doesNotContain("close");
      }
    }
  }

  @Test
  void theTargetIsHandedOverAsItWasSent() throws IOException {
    String answer =
        exchange("GET /a%2Fb%20c?x=%zz+1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertThat(answer).contains("X-Target: /a%2Fb%20c?x=%zz+1\r\n");
  }

  @Test
  void anAnswerToHeadHasNoBody() throws IOException {
    String answer = exchange("HEAD /unread HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    assertThat(answer).endsWith("\r\n\r\n");
  }

  @Test
  void aClientThatExpectsContinueGetsItBeforeItsBodyIsRead() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      client.send(
          "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
      assertThat(client.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      assertThat(client.send("abc").readUntil("abc")).startsWith("HTTP/1.1 200 OK");
    }
  }

  @Test
  void aRefusalThatDoesNotReadTheBodyNeverAsksForIt() throws IOException {
    String answer =
        exchange(
            "PUT /unread HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 503").contains("Connection: close");
  }

  @Test
  void aRefusalReachesAClientThatSendsItsBodyAnyhow() throws IOException {
    try (RawClient client = new RawClient(server.port())) {
      client.send("PUT /unread HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n");
      client.send("x".repeat(2_000_000));
      assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 503");
      client.send("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
      assertThat(client.readUntil("abc")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aResetIsAReset() {
    assertThatThrownBy(() -> exchange("GET /reset HTTP/1.1\r\nHost: h\r\n\r\n"))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
  }

  @Test
  void aTruncatedAnswerEndsHalfwayAndInOrder() throws IOException {
    String answer = exchange("GET /truncated HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(answer).contains("Content-Length: 100\r\n").endsWith("\r\n\r\n" + "\0".repeat(50));
  }

  @Test
  void anAnswerThatEndsTooEarlyBreaksTheConnection() {
    assertThatThrownBy(() -> exchange("GET /short HTTP/1.1\r\nHost: h\r\n\r\n"))
        .isInstanceOf(SocketException.class);
  }

  @Test
  void anAnswerOfUnknownLengthIsChunkedForHttp11AndEndsWithTheConnectionForHttp10()
      throws IOException {
    assertThat(exchange("GET /unknown HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
        .endsWith("\r\n\r\n5\r\n12345\r\n0\r\n\r\n");
    assertThat(exchange("GET /unknown HTTP/1.0\r\n\r\n")).endsWith("\r\n\r\n12345");
  }

  @Test
  void aBugInTheHandlerIsA500() throws IOException {
    assertThat(exchange("GET /bug HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 500");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "GET\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1 x\r\nHost: h\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET relative HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /\u0001 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nspace : x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX: a\u0000b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0",
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\n",
      })
  void whatIsNotHttpIsA400AndTheServerLives(String request) throws IOException {
    assertThat(exchange(request)).startsWith("HTTP/1.1 400 Bad Request\r\n");
    assertThat(exchange("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void aHeadWithoutEndIsRefused() throws IOException {
    assertThat(exchange("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n")).startsWith("HTTP/1.1 431");
    assertThat(exchange("GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(201))).startsWith("HTTP/1.1 431");
    assertThat(exchange("GET / HTTP/1.1\r\n" + ("X: " + "y".repeat(9_000) + "\r\n").repeat(10)))
        .startsWith("HTTP/1.1 431");
  }

  @Test
  void otherVersionsAndCodingsAreNamedAsWhatTheyAre() throws IOException {
    assertThat(exchange("GET / HTTP/2.0\r\nHost: h\r\n\r\n")).startsWith("HTTP/1.1 505");
    assertThat(exchange("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n"))
        .startsWith("HTTP/1.1 501");
  }

  @Test
  void aPortInUseIsNamed() {
    assertThatThrownBy(
            () -> HttpServer.start(ServerOptions.onPort(server.port()), HttpServerTest::answer))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1:" + server.port());
  }
}
