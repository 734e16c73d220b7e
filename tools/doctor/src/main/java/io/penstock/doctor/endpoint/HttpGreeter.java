/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends the requests with the JDK's HTTP client, so that a failure is caused by the connection and
 * not by an S3 client.
 */
public final class HttpGreeter implements Greeter {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration WHOLE = Duration.ofSeconds(5);

  private final Time time;
  private final HttpClient client;

  public HttpGreeter(Time time) {
    this.time = time;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public Greeting greet(URI url) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .method("HEAD", HttpRequest.BodyPublishers.noBody())
            .timeout(WHOLE)
            .build();
    Instant sent = time.now();
    long before = time.nowNanos();
    HttpResponse<Void> answer = client.send(request, HttpResponse.BodyHandlers.discarding());
    return new Greeting(
        answer.statusCode(),
        header(answer, "date").flatMap(HttpGreeter::date),
        sent,
        Duration.ofNanos(time.nowNanos() - before),
        header(answer, "x-amz-bucket-region"),
        header(answer, "server"),
        answer.sslSession().map(SSLSession::getProtocol));
  }

  private static Optional<String> header(HttpResponse<Void> answer, String name) {
    return answer.headers().firstValue(name);
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean speaksTls(String host, int port) {
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(host, port), Math.toIntExact(CONNECT.toMillis()));
      plain.setSoTimeout(Math.toIntExact(CONNECT.toMillis()));
      SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket tls = (SSLSocket) factory.createSocket(plain, host, port, true)) {
        tls.startHandshake();
        return true;
      }
    } catch (SSLException e) {
      // A handshake that fails because the certificate is not trusted is TLS, too.
      return !isNotTls(e);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns true if the answer was not a TLS record. The messages are those of the JDK's sockets
   * and its TLS engine.
   */
  static boolean isNotTls(SSLException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("nsupported or unrecognized SSL message")
        || message.contains("nrecognized SSL message, plaintext connection");
  }
}
