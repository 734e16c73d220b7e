/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import io.penstock.emulator.http.HttpInput.RequestHead;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of one client. Serves one request after another until either side closes it. */
final class Connection implements ConnectedClient {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
  private static final int IDLE_MILLIS = 300_000;
  private static final int BUSY_MILLIS = 60_000;
  private static final int LINGER_MILLIS = 1_000;
  private static final int LOOK_MILLIS = 1;
  private static final int BUFFER_BYTES = 64 << 10;

  /**
   * The most bytes of a refused upload that are still read, so that the client sees the refusal.
   */
  private static final long DRAIN_BYTES = 64L << 20;

  private final Socket raw;
  private final ServerOptions options;
  private final Handler handler;
  private Socket socket;
  private HttpInput input;
  private OutputStream output;

  Connection(Socket raw, ServerOptions options, Handler handler) {
    this.raw = raw;
    this.options = options;
    this.handler = handler;
  }

  void run() {
    try {
      raw.setTcpNoDelay(true);
      raw.setSoTimeout(BUSY_MILLIS);
      socket = options.tls().isPresent() ? overTls() : raw;
      Shaping shaping = options.shaping().get();
      input = new HttpInput(shaping.in(socket.getInputStream()));
      output = new BufferedOutputStream(shaping.out(socket.getOutputStream()), BUFFER_BYTES);
      while (serveOne()) {
        LOG.trace("next request on {}", raw);
      }
    } catch (IOException e) {
      LOG.debug("connection of {} broke: {}", raw, e.toString());
    }
  }

  private Socket overTls() throws IOException {
    SSLSocket tls =
        (SSLSocket)
            options
                .tls()
                .orElseThrow()
                .getSocketFactory()
                .createSocket(raw, raw.getInetAddress().getHostAddress(), raw.getPort(), true);
    tls.setUseClientMode(false);
    tls.startHandshake();
    return tls;
  }

  private boolean serveOne() throws IOException {
    Optional<RequestHead> head;
    RequestBody body;
    try {
      socket.setSoTimeout(IDLE_MILLIS);
      head = input.readRequestHead();
      socket.setSoTimeout(BUSY_MILLIS);
      if (head.isEmpty()) {
        return false;
      }
      body = bodyOf(head.get());
    } catch (BadRequest e) {
      refuse(e);
      return false;
    } catch (SocketTimeoutException e) {
      return false; // idle
    }
    HttpRequest request =
        new HttpRequest(
            head.get().method(),
            originForm(head.get().target()),
            head.get().headers(),
            body,
            raw.getInetAddress(),
            socket instanceof SSLSocket tls ? tls.getSession().getProtocol() : "",
            this);
    return answer(head.get(), request);
  }

  @Override
  public InetAddress called() {
    return raw.getLocalAddress();
  }

  @Override
  public boolean isGone() {
    if (socket != raw) {
      return false; // a timeout inside a TLS record would corrupt the stream
    }
    try {
      raw.setSoTimeout(LOOK_MILLIS);
      boolean gone = input.endsSoon();
      raw.setSoTimeout(BUSY_MILLIS);
      return gone;
    } catch (SocketTimeoutException e) {
      return !isStill(BUSY_MILLIS);
    } catch (IOException e) {
      return true;
    }
  }

  private boolean isStill(int timeoutMillis) {
    try {
      raw.setSoTimeout(timeoutMillis);
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  private RequestBody bodyOf(RequestHead head) throws BadRequest {
    Headers headers = head.headers();
    if (head.http11() && headers.all("Host").size() != 1) {
      throw new BadRequest("there must be one Host field");
    }
    boolean expects = head.http11() && headers.hasToken("Expect", "100-continue");
    List<String> codings = headers.all("Transfer-Encoding");
    List<String> lengths = headers.all("Content-Length");
    if (!codings.isEmpty()) {
      if (!lengths.isEmpty()) {
        throw new BadRequest("Content-Length and Transfer-Encoding exclude each other");
      }
      if (codings.size() != 1 || !codings.get(0).equalsIgnoreCase("chunked")) {
        throw new BadRequest(501, "the only transfer coding spoken here is chunked");
      }
      return new RequestBody(input.chunkedBody(), RequestBody.UNKNOWN, expects, this::sendContinue);
    }
    long length = lengths.isEmpty() ? 0 : contentLength(lengths);
    return new RequestBody(input.fixedBody(length), length, expects, this::sendContinue);
  }

  private static long contentLength(List<String> lengths) throws BadRequest {
    String length = lengths.get(0);
    if (lengths.stream().distinct().count() != 1 || !length.matches("[0-9]{1,18}")) {
      throw new BadRequest("malformed Content-Length");
    }
    return Long.parseLong(length);
  }

  private boolean answer(RequestHead head, HttpRequest request) throws IOException {
    HttpResponse response;
    try {
      response = handler.handle(request);
    } catch (BadRequest e) {
      refuse(e);
      return false;
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", request.method(), request.target(), e);
      response = HttpResponse.of(500, new Headers(), Payload.empty());
    }
    if (response.delivery() == HttpResponse.Delivery.RESET) {
      response.payload().close();
      reset();
      return false;
    }
    RequestBody body = request.body();
    boolean keeps =
        head.http11()
            && !head.headers().hasToken("Connection", "close")
            && response.delivery() == HttpResponse.Delivery.WHOLE
            && !body.isWaiting()
            && (body.leftBytes() <= DRAIN_BYTES || body.declaredBytes() == RequestBody.UNKNOWN);
    try {
      try (Payload payload = response.payload()) {
        new ResponseWriter(output, head.http11(), keeps)
            .write(response.with(payload), request.method().equals("HEAD"));
      }
      // Close the body first: a client that has received a small response must find it counted and
      // logged.
      output.flush();
    } catch (IOException | RuntimeException e) {
      reset(); // The head may be sent: only a reset shows that the body is incomplete.
      throw e;
    }
    if (keeps && drained(body)) {
      return true;
    }
    closeGently();
    return false;
  }

  private void sendContinue() throws IOException {
    output.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    output.flush();
  }

  private void refuse(BadRequest problem) throws IOException {
    LOG.debug("refused a request of {}: {}", raw, problem.getMessage());
    byte[] text = (problem.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
    Headers headers = new Headers().add("Content-Type", "text/plain");
    new ResponseWriter(output, true, false)
        .write(HttpResponse.of(problem.status(), headers, Payload.of(text)), false);
    output.flush();
    closeGently();
  }

  private static boolean drained(InputStream body) throws IOException {
    byte[] buffer = new byte[64 << 10];
    long seen = 0;
    for (int count = 0; count >= 0; count = body.read(buffer)) {
      seen += count;
      if (seen > DRAIN_BYTES) {
        return false;
      }
    }
    return true;
  }

  /**
   * Closes the connection after reading the remaining input. Closing with unread bytes would send a
   * TCP reset, and the client could lose the response.
   */
  private void closeGently() throws IOException {
    raw.setSoTimeout(LINGER_MILLIS);
    if (socket == raw) {
      raw.shutdownOutput();
    }
    try {
      byte[] buffer = new byte[64 << 10];
      long left = DRAIN_BYTES;
      for (int count = 0; count >= 0 && left > 0; count = input.read(buffer, 0, buffer.length)) {
        left -= count;
      }
    } catch (SocketTimeoutException e) {
      LOG.debug("{} did not close its side", raw);
    } finally {
      socket.close();
    }
  }

  private void reset() throws IOException {
    raw.setSoLinger(true, 0);
    raw.close();
  }

  private static String originForm(String target) {
    if (target.startsWith("/")) {
      return target;
    }
    int path = target.indexOf('/', target.indexOf("://") + 3);
    return path < 0 ? "/" : target.substring(path);
  }
}
