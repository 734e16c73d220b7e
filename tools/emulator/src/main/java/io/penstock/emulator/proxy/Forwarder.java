/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import io.penstock.emulator.api.RequestIds;
import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.http.Handler;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpInput.ResponseHead;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import io.penstock.emulator.http.RequestBody;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests on unchanged and streams both bodies. Keeps {@code Host}, because the signature
 * covers it. Removes {@code Expect}, because the proxy has answered it already.
 */
final class Forwarder implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

  /** The largest body that is kept in memory so that it can be sent again. */
  private static final int REPLAYABLE_BYTES = 64 << 10;

  private final UpstreamPool pool;
  private final RequestIds ids;

  Forwarder(UpstreamPool pool, RequestIds ids) {
    this.pool = pool;
    this.ids = ids;
  }

  /** Reports that the client broke its connection, as opposed to the upstream server. */
  private static final class ClientGone extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGone(IOException cause) {
      super("client broke its connection inside a body", cause);
    }
  }

  /** A request to send upstream. Records whether its body is kept and can be sent again. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Outgoing(HttpRequest request, Headers headers, byte[] kept) {
    boolean isReplayable() {
      return kept != null;
    }

    InputStream open() {
      return isReplayable() ? new ByteArrayInputStream(kept) : request.body();
    }
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    Outgoing outgoing = outgoing(request);
    UpstreamConnection connection;
    try {
      // A request that cannot be sent twice must not use a pooled connection, which may be stale.
      connection = outgoing.isReplayable() ? pool.take() : pool.fresh();
    } catch (IOException e) {
      return unreachable(request, e);
    }
    try {
      return exchange(outgoing, connection);
    } catch (ClientGone e) {
      UpstreamPool.drop(connection);
      throw e;
    } catch (IOException e) {
      UpstreamPool.drop(connection);
      return connection.isReused() && !(e instanceof SocketTimeoutException)
          ? again(outgoing)
          : broken(request, e);
    }
  }

  private HttpResponse again(Outgoing outgoing) throws IOException {
    UpstreamConnection connection;
    try {
      connection = pool.fresh();
    } catch (IOException e) {
      return unreachable(outgoing.request(), e);
    }
    try {
      return exchange(outgoing, connection);
    } catch (IOException e) {
      UpstreamPool.drop(connection);
      return broken(outgoing.request(), e);
    }
  }

  private static Outgoing outgoing(HttpRequest request) throws IOException {
    Headers headers = HopByHop.without(request.headers()).remove("Expect");
    long declared = request.body().declaredBytes();
    if (declared == RequestBody.UNKNOWN) {
      headers.add("Transfer-Encoding", "chunked");
      return new Outgoing(request, headers, null);
    }
    boolean isSmall = declared <= REPLAYABLE_BYTES;
    return new Outgoing(request, headers, isSmall ? request.body().readAllBytes() : null);
  }

  private HttpResponse exchange(Outgoing outgoing, UpstreamConnection connection)
      throws IOException {
    HttpRequest request = outgoing.request();
    try {
      connection.sendHead(request.method(), request.target(), outgoing.headers());
      send(outgoing, connection.out());
      connection.out().flush();
    } catch (ClientGone e) {
      throw e;
    } catch (IOException e) {
      if (connection.isReused()) {
        throw e;
      }
      // A server may refuse a request before it has read the whole body. Its response can then be
      // read.
      return answer(request, connection, readHead(connection), false);
    }
    return answer(request, connection, readHead(connection), true);
  }

  private static void send(Outgoing outgoing, OutputStream out) throws IOException {
    boolean isChunked = outgoing.request().body().declaredBytes() == RequestBody.UNKNOWN;
    byte[] buffer = new byte[64 << 10];
    try (InputStream body = outgoing.open()) {
      for (int count = read(body, buffer); count >= 0; count = read(body, buffer)) {
        if (isChunked && count > 0) {
          out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        out.write(buffer, 0, count);
        if (isChunked && count > 0) {
          out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    }
    if (isChunked) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  private static int read(InputStream body, byte[] buffer) throws ClientGone {
    try {
      return body.read(buffer);
    } catch (IOException e) {
      throw new ClientGone(e);
    }
  }

  private static ResponseHead readHead(UpstreamConnection connection) throws IOException {
    ResponseHead head = connection.in().readResponseHead();
    while (head.status() / 100 == 1) {
      head = connection.in().readResponseHead();
    }
    return head;
  }

  private HttpResponse answer(
      HttpRequest request, UpstreamConnection connection, ResponseHead head, boolean isSentWhole) {
    Headers from = head.headers();
    Headers headers = HopByHop.without(from);
    boolean keeps = isSentWhole && !from.hasToken("Connection", "close");
    boolean isBodiless =
        request.method().equals("HEAD") || head.status() == 204 || head.status() == 304;
    String length = from.first("Content-Length").orElse("");
    InputStream body;
    long bytes;
    if (isBodiless) {
      body = InputStream.nullInputStream();
      bytes = 0;
    } else if (from.hasToken("Transfer-Encoding", "chunked")) {
      body = connection.in().chunkedBody();
      bytes = Payload.UNKNOWN;
    } else if (length.matches("[0-9]{1,18}")) {
      bytes = Long.parseLong(length);
      body = connection.in().fixedBody(bytes);
    } else {
      body = connection.in().rest();
      bytes = Payload.UNKNOWN;
      keeps = false;
    }
    return HttpResponse.of(
        head.status(), headers, new UpstreamPayload(connection, pool, body, bytes, keeps));
  }

  private HttpResponse unreachable(HttpRequest request, IOException problem) {
    LOG.warn("cannot reach {}: {}", pool.upstream(), problem.toString());
    return new S3Error(
            502,
            "BadGateway",
            "The proxy cannot reach %s: %s.".formatted(pool.upstream(), problem.getMessage()))
        .toResponse(request.target(), ids.next());
  }

  /** Returns the response that the client would have seen without a proxy. */
  private HttpResponse broken(HttpRequest request, IOException problem) {
    LOG.debug("{} {} broke: {}", request.method(), request.target(), problem.toString());
    if (problem instanceof SocketTimeoutException) {
      return new S3Error(504, "GatewayTimeout", pool.upstream() + " did not answer in time.")
          .toResponse(request.target(), ids.next());
    }
    return HttpResponse.reset();
  }
}
