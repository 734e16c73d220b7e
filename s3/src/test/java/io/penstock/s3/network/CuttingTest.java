/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.RunningAttempt;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.s3.TestTls;
import io.penstock.s3.answers.SdkFailures;
import io.penstock.s3.settings.S3Options;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.metrics.MetricCollector;

/** A cut ends a request at once wherever it is, and costs the pool nothing. */
@Timeout(60)
class CuttingTest {
  private static final int CONNECTIONS = 2;
  private static final Set<String> WAITING = Set.of("park", "implConnect", "write0");
  private static final int BODY_BYTES = 64 << 20;

  @TempDir private Path directory;
  private final Attempt attempt = new Attempt();
  private SdkHttpClient client = client(Apache5HttpClient.builder());

  private static SdkHttpClient client(Apache5HttpClient.Builder builder) {
    return Transport.builder(
            builder
                .maxConnections(CONNECTIONS)
                .socketTimeout(Duration.ofMinutes(5))
                .connectionTimeout(Duration.ofMinutes(5))
                .connectionAcquisitionTimeout(Duration.ofMinutes(5)),
            Optional.empty(),
            Optional.empty())
        .build();
  }

  @AfterEach
  void close() {
    client.close();
  }

  /** A request under way on a thread of its own. */
  private static final class Flight {
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private final Thread thread;

    Flight(Callable<String> work) {
      thread =
          new Thread(
              () -> {
                try {
                  answer.complete(work.call());
                } catch (Exception e) {
                  answer.completeExceptionally(e);
                }
              });
      thread.start();
    }

    /** In a system call on a socket, or in wait of a connection. */
    Flight untilBlocked() {
      until(
          () ->
              Arrays.stream(thread.getStackTrace())
                  .limit(12)
                  .anyMatch(at -> WAITING.contains(at.getMethodName())));
      return this;
    }

    Throwable failure() throws Exception {
      try {
        throw new AssertionError("answered: " + answer.get(20, TimeUnit.SECONDS));
      } catch (ExecutionException e) {
        return e.getCause();
      }
    }
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(Thread.interrupted()).as("timed out").isFalse();
      Thread.onSpinWait();
    }
  }

  private Flight fly(String url, int bodyBytes) {
    return new Flight(() -> RunningAttempt.run(attempt, own -> ask(url, bodyBytes)));
  }

  private String ask(String url, int bodyBytes) throws IOException {
    return ask(url, bodyBytes, MetricCollector.create("test"));
  }

  private String ask(String url, int bodyBytes, MetricCollector metrics) throws IOException {
    SdkHttpRequest.Builder request = SdkHttpRequest.builder().uri(url);
    HttpExecuteRequest.Builder execute = HttpExecuteRequest.builder().metricCollector(metrics);
    if (bodyBytes > 0) {
      request.method(SdkHttpMethod.PUT).putHeader("Content-Length", Integer.toString(bodyBytes));
      execute.contentStreamProvider(() -> new ByteArrayInputStream(new byte[bodyBytes]));
    } else {
      request.method(SdkHttpMethod.GET);
    }
    var answer = client.prepareRequest(execute.request(request.build()).build()).call();
    try (var body = answer.responseBody().orElseThrow()) {
      return new String(body.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static String url(MoodyServer server, String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  private void assertCut(Flight flight) throws Exception {
    attempt.cut("no answer within 2.1 s");
    assertThat(flight.failure()).isInstanceOf(CutShort.class).hasMessage("no answer within 2.1 s");
  }

  /** A request finds no connection lent but its own. */
  private void assertNothingLeaks(MoodyServer server) throws IOException {
    MetricCollector metrics = MetricCollector.create("test");
    assertThat(ask(url(server, "/"), 0, metrics)).isEqualTo("ok");
    assertThat(metrics.collect().metricValues(HttpMetric.LEASED_CONCURRENCY)).containsExactly(1);
  }

  @Test
  void aRequestThatIsNeverAnsweredIsCut() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      Flight flight = fly(url(server, "/mute"), 0);
      until(() -> server.requests() == 1);
      assertThat(attempt.isSent()).isTrue();
      assertCut(flight.untilBlocked());
      assertNothingLeaks(server);
    }
  }

  @Test
  void aBodyThatNobodyReadsIsCut() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      Flight flight = fly(url(server, "/deaf"), BODY_BYTES);
      until(() -> server.requests() == 1);
      flight.untilBlocked();
      assertThat(attempt.movedBytes()).isBetween(1L, BODY_BYTES - 1L);
      assertThat(attempt.isSent()).isFalse();
      assertCut(flight);
      assertNothingLeaks(server);
    }
  }

  @Test
  void anAnswerThatStopsInTheMiddleIsCut() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      Flight flight = fly(url(server, "/half"), 0);
      until(() -> attempt.movedBytes() == 2);
      assertCut(flight.untilBlocked());
      assertNothingLeaks(server);
    }
  }

  @Test
  void aRequestThatWaitsForAConnectionIsCut() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      List<Attempt> holders = new ArrayList<>();
      List<Flight> held = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        Attempt holder = new Attempt();
        holders.add(holder);
        held.add(new Flight(() -> RunningAttempt.run(holder, own -> ask(url(server, "/mute"), 0))));
      }
      until(() -> server.requests() == CONNECTIONS);
      assertCut(fly(url(server, "/mute"), 0).untilBlocked());
      holders.forEach(holder -> holder.cut("enough"));
      for (Flight flight : held) {
        assertThat(flight.failure()).isInstanceOf(CutShort.class);
      }
      assertNothingLeaks(server);
    }
  }

  @Test
  void aConnectionThatDoesNotComeAboutIsCut() throws Exception {
    List<Socket> filling = new ArrayList<>();
    // The queue of a socket that nobody accepts from is full after two: the third waits.
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 2; i++) {
        filling.add(new Socket(full.getInetAddress(), full.getLocalPort()));
      }
      assertCut(fly("http://127.0.0.1:" + full.getLocalPort() + "/", 0).untilBlocked());
    } finally {
      for (Socket socket : filling) {
        socket.close();
      }
    }
  }

  @Test
  void aHandshakeThatNobodyAnswersIsCut() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertCut(fly("https://127.0.0.1:" + mute.getLocalPort() + "/", 0).untilBlocked());
    }
  }

  @Test
  void aBodyThatNobodyReadsOverTlsIsCut() throws Exception {
    ServerSocketFactory tls = TestTls.selfSigned(directory).getServerSocketFactory();
    var trust = TestTls.trusting(directory);
    client.close();
    client = client(Apache5HttpClient.builder().tlsTrustManagersProvider(() -> trust));
    try (MoodyServer server = MoodyServer.of(tls)) {
      Flight flight = fly("https://localhost:" + server.port() + "/deaf", BODY_BYTES);
      until(() -> server.requests() == 1);
      flight.untilBlocked();
      assertCut(flight);
      assertThat(ask("https://localhost:" + server.port() + "/", 0)).isEqualTo("ok");
    }
  }

  @Test
  void whatWasCutBeforeItBeganIsNotSent() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      attempt.cut("too late");
      assertThatThrownBy(
              () ->
                  RunningAttempt.through(new ThreadEnd(), attempt, own -> ask(url(server, "/"), 0)))
          .isInstanceOf(CutShort.class);
      assertNothingLeaks(server);
      assertThat(server.requests()).isEqualTo(1);
    }
  }

  /** Apache's client says this if the connection is shut between its lease and its use. */
  @Test
  void aCutThatLooksLikeAnInterruptLeavesTheThreadAsItIs() {
    RuntimeException shut =
        SdkClientException.create(
            "failed",
            new CutShort("hedged", new InterruptedIOException("Connection has been shut down")));
    Settings settings =
        Settings.of(Map.of("penstock.region", "us-east-1", "penstock.credentials", "anonymous"));
    SdkFailures failures = new SdkFailures("lake", S3Options.from("lake", settings, name -> null));
    assertThat(failures.translate(Operation.GET, "a", "us-east-1", shut))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the attempt was cut short: hedged");
    assertThat(Thread.interrupted()).isFalse();
    Thread.currentThread().interrupt();
    assertThat(failures.translate(Operation.GET, "a", "us-east-1", shut))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void manyCutsLeaveThePoolWhole() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      for (int i = 1; i <= 50; i++) {
        int expected = i;
        Attempt one = new Attempt();
        Flight flight =
            new Flight(() -> RunningAttempt.run(one, own -> ask(url(server, "/mute"), 0)));
        until(() -> server.requests() == expected);
        one.cut("enough");
        assertThat(flight.failure()).isInstanceOf(CutShort.class);
      }
      assertNothingLeaks(server);
    }
  }

  @Test
  void bytesAreCountedBothWays() throws Exception {
    try (MoodyServer server = MoodyServer.at("127.0.0.1", 0)) {
      // The server takes the first byte of the body for the next head, which is not its business.
      String answer = RunningAttempt.run(attempt, own -> ask(url(server, "/bye"), 1));
      assertThat(answer).isEqualTo("ok");
      assertThat(attempt.movedBytes()).isEqualTo(3);
      assertThat(attempt.isSent()).isTrue();
    }
  }
}
