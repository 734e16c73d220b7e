/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.network.CutShort;
import io.penstock.s3.settings.S3Options;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A failure of a request that got no valid answer from the store. */
public final class TransportFailure {
  private static final String NOT_HTTP = "valid HTTP response";
  private static final String NOT_TLS = "Unsupported or unrecognized SSL message";
  private static final String REFUSED = "Connection refused";

  private final S3Options options;
  private final Redactor redactor;
  private final Operation operation;
  private final String object;
  private final RuntimeException failure;
  private final List<Throwable> chain;

  TransportFailure(
      S3Options options,
      Redactor redactor,
      Operation operation,
      String object,
      RuntimeException failure,
      List<Throwable> chain) {
    this.options = options;
    this.redactor = redactor;
    this.operation = operation;
    this.object = object;
    this.failure = failure;
    this.chain = chain;
  }

  StoreException toStoreException() {
    Optional<CutShort> cut = SdkFailures.find(chain, CutShort.class);
    if (cut.isPresent()) {
      return lost("the attempt was cut short: " + SdkFailures.sentence(cut.get().getMessage()));
    }
    if (SdkFailures.find(chain, UnknownHostException.class).isPresent()) {
      return unreachable(unknownHost());
    }
    if (has("ConnectTimeoutException") || has("HttpHostConnectException")) {
      return unreachable(connecting());
    }
    if (has("ConnectionRequestTimeoutException") || saysPoolIsEmpty()) {
      return of(
          Kind.UNREACHABLE,
          ("all %d connections were in use for %s. Raise penstock.connections.max, or run"
                  + " fewer requests at once.")
              .formatted(options.http().maxConnections(), shown(options.http().socketTimeout())));
    }
    if (SdkFailures.find(chain, ConnectException.class).isPresent()
        || SdkFailures.find(chain, NoRouteToHostException.class).isPresent()) {
      return unreachable(connecting());
    }
    return SdkFailures.find(chain, SSLException.class).isPresent() ? tls() : afterConnecting();
  }

  private String unknownHost() {
    return options.endpoint().pathStyle() || options.endpoint().override().isEmpty()
        ? "its name is not known to DNS. Check penstock.endpoint"
        : "its host name with the bucket's name in front is not known to DNS. If the store does not"
            + " have a host name for each bucket, set penstock.path.style=true; otherwise check"
            + " penstock.endpoint";
  }

  private String connecting() {
    if (chain.stream().anyMatch(t -> String.valueOf(t.getMessage()).contains(REFUSED))) {
      return "it refused the connection. Check penstock.endpoint, and that the store is up";
    }
    return ("nothing answered there within penstock.connect.timeout=%s. Check penstock.endpoint,"
            + " the network and any firewall")
        .formatted(shown(options.http().connectTimeout()));
  }

  private StoreException tls() {
    SSLException tls = SdkFailures.find(chain, SSLException.class).orElseThrow();
    if (String.valueOf(tls.getMessage()).contains(NOT_TLS)) {
      return unreachable(
          "the port speaks plain http, not TLS. Write penstock.endpoint with http://");
    }
    if (SdkFailures.find(chain, SSLHandshakeException.class).isPresent()
        || SdkFailures.find(chain, SSLPeerUnverifiedException.class).isPresent()) {
      return unreachable(
          ("TLS failed (%s). If the store's certificate comes from a CA of your own, put that CA"
                  + " into the JVM's trust store (javax.net.ssl.trustStore)")
              .formatted(theirs(tls)));
    }
    return lost(SdkFailures.sentence(theirs(tls)));
  }

  private StoreException afterConnecting() {
    if (chain.stream().anyMatch(t -> String.valueOf(t.getMessage()).contains(NOT_HTTP))) {
      return unreachable(
          ("the answer is not http. If the port expects TLS, write penstock.endpoint with"
              + " https://"));
    }
    if (SdkFailures.find(chain, SocketTimeoutException.class).isPresent()) {
      return lost(
          "no data arrived for penstock.socket.timeout=%s."
              .formatted(shown(options.http().socketTimeout())));
    }
    boolean io = SdkFailures.find(chain, IOException.class).isPresent();
    String reason = theirs(chain.get(chain.size() - 1));
    boolean atOnce =
        has("NoHttpResponseException") || SdkFailures.find(chain, EOFException.class).isPresent();
    String hint =
        atOnce && options.endpoint().plainHttp()
            ? " If that happens every time, the port may speak TLS: use https://."
            : "";
    return io || isUnreadable()
        ? lost("the connection broke: " + SdkFailures.sentence(reason) + hint)
        : of(Kind.INVALID_REQUEST, SdkFailures.sentence(reason));
  }

  private String theirs(Throwable t) {
    return redactor.redact(String.valueOf(t.getMessage()));
  }

  /** Returns true if the answer could not be parsed: an incomplete answer is not valid XML. */
  private boolean isUnreadable() {
    return has("XMLStreamException") || has("Unable to unmarshall");
  }

  private boolean saysPoolIsEmpty() {
    return chain.stream()
        .anyMatch(t -> String.valueOf(t.getMessage()).contains("connection from pool"));
  }

  /**
   * Returns true if the chain contains the name. Compares names, because the HTTP client's classes
   * are not on our compile path.
   */
  private boolean has(String name) {
    return chain.stream()
        .anyMatch(
            t ->
                t.getClass().getSimpleName().equals(name)
                    || String.valueOf(t.getMessage()).contains(name));
  }

  private StoreException unreachable(String problem) {
    String way =
        options
            .http()
            .proxy()
            .map(
                proxy ->
                    " The connection goes through the proxy %s (penstock.proxy), which may be the cause."
                        .formatted(proxy))
            .orElse("");
    return of(
        Kind.UNREACHABLE,
        "cannot reach %s: %s.%s".formatted(options.endpoint().shown(), problem, way));
  }

  private StoreException lost(String problem) {
    return of(Kind.CONNECTION_LOST, problem + " The store may have acted on the request.");
  }

  private StoreException of(Kind kind, String problem) {
    return new StoreException(kind, operation, object, problem, null, redactor.redact(failure));
  }

  private static String shown(Duration duration) {
    return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
  }
}
