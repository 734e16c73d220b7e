/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import io.penstock.core.store.Reach;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * Checks that the endpoint answers. The answer also shows the state of TLS, the clock and the
 * region.
 */
public record GreetingCheck(Greeter greeter, Reach reach) implements Check {
  private static final String NAME = "connection";
  private static final long SLOW_MILLIS = 1_000;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration ceiling() {
    return Duration.ofSeconds(10);
  }

  @Override
  public boolean isGate() {
    return true;
  }

  @Override
  public List<CheckOutcome> look() throws InterruptedException {
    URI url = reach.bucketUrl();
    Greeting greeting;
    try {
      greeting = greeter.greet(url);
    } catch (IOException e) {
      return List.of(unanswered(url, e));
    }
    if (greeting.tls().isEmpty() && greeting.status() == 400 && isTls(url)) {
      return List.of(plainOnTls(url));
    }
    return List.of(
        answered(url, greeting),
        EncryptionCheck.judge(url, greeting),
        ClockCheck.judge(greeting),
        Region.judge(reach, greeting));
  }

  private static CheckOutcome answered(URI url, Greeting greeting) {
    long millis = greeting.took().toMillis();
    String said =
        "%s answers in %,d ms, including the time to connect%s"
            .formatted(
                origin(url), millis, greeting.server().map(s -> " (" + shown(s) + ")").orElse(""));
    CheckOutcome outcome =
        millis > SLOW_MILLIS
            ? CheckOutcome.warn(
                NAME,
                said,
                "Check the network path: there may be a proxy, a VPN or NAT, or the store may be"
                    + " far away.")
            : CheckOutcome.pass(NAME, said);
    return outcome.with("firstAnswerMillis", millis).with("status", greeting.status());
  }

  private CheckOutcome unanswered(URI url, IOException failure) {
    String origin = origin(url);
    if (failure instanceof SSLException tls) {
      return HttpGreeter.isNotTls(tls)
          ? CheckOutcome.fail(
              NAME,
              origin + " does not speak TLS",
              "Write the endpoint with http:// (penstock.endpoint=http://"
                  + url.getAuthority()
                  + "), or enable TLS on the store.")
          : CheckOutcome.fail(
              NAME,
              origin + ": TLS was refused: " + reason(tls),
              "If the certificate comes from your own CA, import the CA into a trust store (keytool"
                  + " -importcert) and start Java with -Djavax.net.ssl.trustStore=FILE. The"
                  + " certificate must name the host in the endpoint.");
    }
    if (isTimeout(failure)) {
      return CheckOutcome.fail(
          NAME,
          origin + " does not answer: packets are dropped, not refused",
          "Check the network policy, security group, firewall and route from this machine to the"
              + " store. Also check the host and port in penstock.endpoint.");
    }
    if (url.getScheme().equals("http") && !(failure instanceof ConnectException) && isTls(url)) {
      return plainOnTls(url);
    }
    return CheckOutcome.fail(
        NAME,
        origin + (failure instanceof ConnectException ? " refuses connections" : said(failure)),
        "Check that the store is running, and that host and port in penstock.endpoint are right.");
  }

  private static String reason(SSLException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("unable to find valid certification path")
        ? "this Java trusts none of the certificate's issuers"
        : message;
  }

  private static String said(IOException failure) {
    return " breaks the connection: " + failure.getMessage();
  }

  private static boolean isTimeout(IOException failure) {
    return failure instanceof HttpTimeoutException
        || String.valueOf(failure.getMessage()).contains("timed out");
  }

  private boolean isTls(URI url) {
    return greeter.speaksTls(url.getHost(), url.getPort() < 0 ? 80 : url.getPort());
  }

  private static CheckOutcome plainOnTls(URI url) {
    return CheckOutcome.fail(
        NAME,
        origin(url) + " uses plain http, but the port expects TLS",
        "Write the endpoint with https:// (penstock.endpoint=https://" + url.getAuthority() + ").");
  }

  private static String origin(URI url) {
    return url.getScheme() + "://" + url.getAuthority();
  }

  /** Shortens the server's name, because a server may send any text. */
  private static String shown(String server) {
    return server.length() <= 40 ? server : server.substring(0, 40);
  }
}
