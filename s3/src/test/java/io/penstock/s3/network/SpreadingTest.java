/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.request.Attempt;
import io.penstock.core.request.RunningAttempt;
import io.penstock.core.time.VirtualTime;
import io.penstock.s3.TestTls;
import io.penstock.s3.network.Transport.Spread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** Requests spread over the addresses of a host: real sockets, an invented DNS. */
@Timeout(60)
class SpreadingTest {
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final AtomicInteger lookUps = new AtomicInteger();
  private final List<MoodyServer> servers = new ArrayList<>();
  private volatile List<InetAddress> dns = addresses(1, 2, 3);
  private SdkHttpClient client = client(Apache5HttpClient.builder());

  private SdkHttpClient client(Apache5HttpClient.Builder builder) {
    return Transport.builder(
            builder.maxConnections(100).connectionMaxIdleTime(Duration.ofMinutes(5)),
            Optional.of(new Spread(this::resolve, Duration.ofSeconds(30), time)),
            Optional.empty())
        .build();
  }

  private static List<InetAddress> addresses(int... last) {
    List<InetAddress> all = new ArrayList<>();
    for (int number : last) {
      all.add(AddressBookTest.address(127, 0, 0, number));
    }
    return all;
  }

  private List<InetAddress> resolve(String host) throws UnknownHostException {
    lookUps.incrementAndGet();
    if (dns.isEmpty()) {
      throw new UnknownHostException(host);
    }
    return dns;
  }

  private void serveAt(int... last) throws IOException {
    for (int number : last) {
      int port = servers.isEmpty() ? 0 : servers.get(0).port();
      servers.add(MoodyServer.at("127.0.0." + number, port));
    }
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    for (MoodyServer server : servers) {
      server.close();
    }
  }

  private String url(String path) {
    return "http://s3.test:" + servers.get(0).port() + path;
  }

  private ExecutableHttpRequest request(String url) {
    return client.prepareRequest(
        HttpExecuteRequest.builder()
            .request(SdkHttpRequest.builder().uri(url).method(SdkHttpMethod.GET).build())
            .build());
  }

  private static String text(HttpExecuteResponse answer) throws IOException {
    try (var body = answer.responseBody().orElseThrow()) {
      return new String(body.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private void get() throws IOException {
    assertThat(text(request(url("/")).call())).isEqualTo("ok");
  }

  private List<Integer> requestsByServer() {
    return servers.stream().map(MoodyServer::requests).toList();
  }

  @Test
  void requestsInTurnUseOneConnection() throws Exception {
    serveAt(1, 2, 3);
    for (int i = 0; i < 10; i++) {
      get();
    }
    assertThat(requestsByServer()).containsExactlyInAnyOrder(10, 0, 0);
    assertThat(servers.stream().mapToInt(MoodyServer::connections).sum()).isEqualTo(1);
    assertThat(lookUps).hasValue(1);
  }

  @Test
  void sixtyFourRequestsAtOnceSpreadOverAllAddresses() throws Exception {
    serveAt(1, 2, 3);
    ExecutorService threads = Executors.newFixedThreadPool(64);
    try {
      CountDownLatch allSent = new CountDownLatch(64);
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        calls.add(
            threads.submit(
                () -> {
                  // The answer's body is not read before all are under way.
                  HttpExecuteResponse answer = request(url("/")).call();
                  allSent.countDown();
                  allSent.await();
                  return text(answer);
                }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(requestsByServer()).containsExactlyInAnyOrder(21, 21, 22);
    assertThat(lookUps).hasValue(1);
  }

  @Test
  void aDeadAddressCostsNoRequest() throws Exception {
    serveAt(3);
    for (int i = 0; i < 5; i++) {
      get();
    }
    assertThat(requestsByServer()).containsExactly(5);
  }

  @Test
  void whenAllAreDeadTheFailureIsThatOfConnecting() throws Exception {
    serveAt(4);
    assertThatThrownBy(this::get).isInstanceOf(java.net.ConnectException.class);
  }

  @Test
  void aHedgeGoesToAnotherAddress() throws Exception {
    serveAt(1, 2, 3);
    Attempt first = new Attempt();
    Attempt second = RunningAttempt.run(first, own -> beside(first));
    RunningAttempt.run(second, own -> beside(second));
    assertThat(first.address()).startsWith("127.0.0.").isNotEqualTo(second.address());
    assertThat(requestsByServer()).containsExactlyInAnyOrder(1, 1, 0);
  }

  private Attempt beside(Attempt attempt) throws IOException {
    get();
    return Attempt.beside(attempt);
  }

  @Test
  void theHostHeaderKeepsTheName() throws Exception {
    serveAt(1, 2, 3);
    get();
    assertThat(servers.stream().flatMap(s -> s.hosts().stream()))
        .containsExactly("Host: s3.test:" + servers.get(0).port());
  }

  @Test
  void newAddressesComeInBesideTheRequests() throws Exception {
    serveAt(1, 2);
    dns = addresses(1);
    get();
    dns = addresses(2);
    time.advance(Duration.ofSeconds(29));
    get();
    assertThat(lookUps).hasValue(1);
    time.advance(Duration.ofSeconds(1));
    get();
    servers.get(0).close();
    // The look-up is on its way: until it is there, the dead address is all there is.
    boolean answered = false;
    while (!answered) {
      try {
        get();
        answered = true;
      } catch (IOException e) {
        Thread.onSpinWait();
      }
    }
    assertThat(lookUps).hasValue(2);
    assertThat(servers.get(1).requests()).isEqualTo(1);
  }

  @Test
  void aLookUpThatFailsChangesNothing() throws Exception {
    serveAt(1);
    dns = addresses(1);
    get();
    dns = List.of();
    time.advance(Duration.ofMinutes(1));
    get();
    get();
    assertThat(servers.get(0).requests()).isEqualTo(3);
  }

  @Test
  void anUnknownHostIsTheClientsFailure() {
    dns = List.of();
    assertThatThrownBy(() -> request("http://s3.invalid/").call())
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void aHostThatIsAnAddressIsNotLookedUp() throws Exception {
    serveAt(1);
    assertThat(text(request("http://127.0.0.1:" + servers.get(0).port() + "/").call()))
        .isEqualTo("ok");
    assertThat(lookUps).hasValue(0);
  }

  @Test
  void aConnectionThatTheServerClosedWhileIdleFailsAtMostOnce() throws Exception {
    serveAt(1);
    dns = addresses(1);
    assertThat(text(request(url("/bye")).call())).isEqualTo("ok");
    try {
      get();
    } catch (IOException e) {
      get();
    }
  }

  @Test
  void theCertificateIsStillCheckedByName(@TempDir Path directory) throws Exception {
    servers.add(MoodyServer.of(TestTls.selfSigned(directory).getServerSocketFactory()));
    var trust = TestTls.trusting(directory);
    client.close();
    client = client(Apache5HttpClient.builder().tlsTrustManagersProvider(() -> trust));
    dns = addresses(1);
    int port = servers.get(0).port();
    assertThat(text(request("https://localhost:" + port + "/").call())).isEqualTo("ok");
    assertThatThrownBy(() -> request("https://s3.test:" + port + "/").call())
        .isInstanceOf(SSLPeerUnverifiedException.class);
  }
}
