/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** An HTTP server that keeps what it was asked, and answers as it is told. */
public final class RecordingServer implements AutoCloseable {
  /** A request as it arrived. */
  public record Received(String method, URI uri, Headers headers, String body) {
    String header(String name) {
      return headers.getFirst(name);
    }

    String line() {
      return method + " " + uri;
    }
  }

  /** An answer. With a body of null it has no length either; a HEAD has only the body's length. */
  public record Answer(int status, Map<String, String> headers, String body) {
    public static Answer ok(String body) {
      return new Answer(200, Map.of(), body);
    }

    public static Answer error(int status, String code, String message) {
      return new Answer(
          status,
          Map.of("x-amz-request-id", "REQ4F2A"),
          "<Error><Code>%s</Code><Message>%s</Message></Error>".formatted(code, message));
    }

    public Answer with(String name, String value) {
      Map<String, String> more = new java.util.TreeMap<>(headers);
      more.put(name, value);
      return new Answer(status, more, body);
    }
  }

  static {
    // Without it the JDK's server waits 40 ms for an acknowledgement before each answer's body.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Function<Received, Answer> behaviour;

  private RecordingServer(HttpServer server, Function<Received, Answer> behaviour) {
    this.server = server;
    this.behaviour = behaviour;
    server.createContext("/", this::handle);
    server.start();
  }

  public static RecordingServer answering(Function<Received, Answer> behaviour) throws IOException {
    return new RecordingServer(HttpServer.create(anyPort(), 0), behaviour);
  }

  static RecordingServer overTls(SSLContext tls, Function<Received, Answer> behaviour)
      throws IOException {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new RecordingServer(server, behaviour);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  int port() {
    return server.getAddress().getPort();
  }

  public String http() {
    return "http://127.0.0.1:" + port();
  }

  List<Received> received() {
    return received;
  }

  Received last() {
    return received.get(received.size() - 1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Received request =
          new Received(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              exchange.getRequestHeaders(),
              new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      received.add(request);
      Answer answer = behaviour.apply(request);
      answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
      if (answer.body() != null && request.method().equals("HEAD")) {
        int length = answer.body().getBytes(UTF_8).length;
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(length));
      }
      if (answer.body() == null || request.method().equals("HEAD")) {
        exchange.sendResponseHeaders(answer.status(), -1);
        return;
      }
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
