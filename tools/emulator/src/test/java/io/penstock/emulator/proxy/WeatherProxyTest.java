/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.HttpServer;
import io.penstock.emulator.http.Payload;
import io.penstock.emulator.http.RawClient;
import io.penstock.emulator.http.ServerOptions;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.s3.TestClient;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WeatherProxyTest {
  private static WeatherProxy before(int port) throws IOException {
    return WeatherProxy.of(URI.create("http://127.0.0.1:" + port)).start();
  }

  /** Tells what arrived. */
  private static HttpResponse echo(HttpRequest request) throws IOException {
    String text =
        "%s %s host=%s expect=%s x=%s body=%s"
            .formatted(
                request.method(),
                request.target(),
                request.headers().first("Host").orElse(""),
                request.headers().has("Expect"),
                request.headers().all("X-Twice"),
                new String(request.body().readAllBytes(), ISO_8859_1));
    return HttpResponse.of(200, new Headers(), Payload.of(text.getBytes(ISO_8859_1)));
  }

  @Test
  void requestsPassUnchangedButForTheConnectionsOwnFields() throws IOException {
    try (HttpServer server = HttpServer.start(ServerOptions.onPort(0), WeatherProxyTest::echo);
        WeatherProxy proxy = before(server.port());
        RawClient client = new RawClient(proxy.endpoint().getPort())) {
      client.send(
          "PUT /b/a%2Fb%20+?x=%7E HTTP/1.1\r\nHost: signed.example:1\r\nX-Twice: 1\r\nX-Twice: 2\r\n"
              .concat("Connection: close, X-Drop\r\nX-Drop: 1\r\nContent-Length: 4\r\n")
              .concat("Expect: 100-continue\r\n\r\n"));
      assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");
      assertThat(client.send("body").readAll())
          .endsWith("PUT /b/a%2Fb%20+?x=%7E host=signed.example:1 expect=false x=[1, 2] body=body");
    }
  }

  @Test
  void aChunkedBodyStaysWhole() throws IOException {
    try (HttpServer server = HttpServer.start(ServerOptions.onPort(0), WeatherProxyTest::echo);
        WeatherProxy proxy = before(server.port());
        RawClient client = new RawClient(proxy.endpoint().getPort())) {
      client.send(
          "PUT /b/k HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
              .concat("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
      assertThat(client.readAll()).endsWith("body=abcde");
    }
  }

  @Test
  void objectsOfAnySizePassBothWays() throws Exception {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start();
        WeatherProxy proxy = before(s3.endpoint().getPort())) {
      TestClient client = new TestClient(proxy.endpoint());
      for (int size : new int[] {0, 5, 65_536, 65_537, 6_000_000}) {
        String body = "0123456789".repeat(size / 10 + 1).substring(0, size);
        assertThat(client.send("PUT", "/lake/k", body).statusCode()).isEqualTo(200);
        assertThat(client.send("GET", "/lake/k", "").body()).isEqualTo(body);
        assertThat(client.send("HEAD", "/lake/k", "").headers().firstValue("Content-Length"))
            .hasValue(Integer.toString(size));
      }
      assertThat(client.send("GET", "/lake/nope", "").body()).contains("<Code>NoSuchKey</Code>");
      assertThat(client.send("DELETE", "/lake/k", "").statusCode()).isEqualTo(204);
      assertThat(proxy.counts().requests()).isEqualTo(s3.counts().requests());
      assertThat(proxy.counts().requests())
          .isEqualTo(
              Map.of("PutObject", 5L, "GetObject", 6L, "HeadObject", 5L, "DeleteObject", 1L));
    }
  }

  @Test
  void itsWeatherStrikesBeforeOrAfterTheServerBehindActed() throws Exception {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start();
        WeatherProxy proxy = before(s3.endpoint().getPort())) {
      TestClient client = new TestClient(proxy.endpoint());
      proxy.weather(
          Weather.CALM.withFaults("PutObject#1=503,PutObject#2=reset-after,GetObject#1=truncate"));
      assertThat(client.send("PUT", "/lake/1", "x").statusCode()).isEqualTo(503);
      assertThatThrownBy(() -> client.send("PUT", "/lake/2", "x")).isInstanceOf(IOException.class);
      assertThat(s3.counts().of("PutObject")).isEqualTo(proxy.counts().of("PutObject") - 1);
      assertThat(s3.store("lake").head("2").sizeBytes()).isEqualTo(1);
      assertThatThrownBy(() -> client.send("GET", "/lake/2", "")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aConnectionThatWentStaleIsReplacedUnseen() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        WeatherProxy proxy = before(listening.getLocalPort())) {
      CompletableFuture<Void> server =
          CompletableFuture.runAsync(() -> answerOnceThenClose(listening, 2));
      TestClient client = new TestClient(proxy.endpoint());
      assertThat(client.send("GET", "/b/1", "").body()).isEqualTo("ok");
      assertThat(client.send("GET", "/b/2", "").body()).isEqualTo("ok");
      server.join();
      assertThat(proxy.counts().requests()).isEqualTo(Map.of("GetObject", 2L));
    }
  }

  private static void answerOnceThenClose(ServerSocket listening, int connections) {
    try {
      for (int i = 0; i < connections; i++) {
        try (Socket socket = listening.accept()) {
          StringBuilder head = new StringBuilder();
          while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
          }
          String answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
          socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    try (WeatherProxy proxy = before(free)) {
      java.net.http.HttpResponse<String> answer =
          new TestClient(proxy.endpoint()).send("GET", "/b/k", "");
      assertThat(answer.statusCode()).isEqualTo(502);
      assertThat(answer.body()).contains("cannot reach http://127.0.0.1:" + free);
    }
  }

  @Test
  void anUpstreamThatIsNoServerIsRefused() {
    assertThatThrownBy(() -> WeatherProxy.of(URI.create("localhost:9000")))
        .hasMessageContaining("localhost:9000")
        .hasMessageContaining("http://HOST:PORT");
  }
}
