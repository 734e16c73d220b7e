/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static io.penstock.s3.GuardedLake.endpoint;
import static io.penstock.s3.GuardedLake.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures on the way to the server and back: no connection, no TLS, silence, half an answer. */
class NetworkFailureTest {
  @TempDir private static Path directory;

  @AutoClose private final GuardedLake lake = new GuardedLake();

  @Test
  void aClosedPortIsUnreachable() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    StoreException e =
        lake.failure("lake", endpoint("http://127.0.0.1:" + port), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(e).hasMessageContaining("penstock.endpoint").hasMessageContaining("" + port);
  }

  @Test
  void anUnknownHostIsUnreachable() {
    StoreException e =
        lake.failure("lake", endpoint("http://no.such.host.invalid"), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(e).hasMessageContaining("DNS");
  }

  @Test
  void tlsOnAPlainPortIsTold() {
    String endpoint = lake.server.endpoint().toString().replace("http:", "https:");
    StoreException e = lake.failure("lake", endpoint(endpoint), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(e).hasMessageContaining("http://");
  }

  @Test
  void plainHttpOnATlsPortIsTold() throws Exception {
    try (EmbeddedS3 tls =
        EmbeddedS3.builder().bucket("lake").tls(TestTls.selfSigned(directory)).start()) {
      String endpoint = tls.endpoint().toString().replace("https:", "http:");
      StoreException e = lake.failure("lake", endpoint(endpoint), store -> store.head("key"));
      assertThat(e).hasMessageContaining("https://");
    }
  }

  @Test
  void plainHttpOnAPortThatSaysItSpeaksTlsIsTold() throws IOException {
    try (RecordingServer minio =
        RecordingServer.answering(
            r ->
                new Answer(
                    400,
                    Map.of("Content-Type", "text/plain; charset=utf-8"),
                    "Client sent an HTTP request to an HTTPS server.\n"))) {
      StoreException e = lake.failure("lake", endpoint(minio.http()), store -> put(store, "key"));
      assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(e).hasMessageContaining("https://");
    }
  }

  @Test
  void aCertificateNobodyTrustsIsTold() throws Exception {
    try (RecordingServer tls =
        RecordingServer.overTls(
            TestTls.selfSigned(java.nio.file.Files.createTempDirectory(directory, "tls")),
            r -> Answer.ok(""))) {
      StoreException e =
          lake.failure(
              "lake", endpoint("https://127.0.0.1:" + tls.port()), store -> store.head("key"));
      assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(e).hasMessageContaining("javax.net.ssl.trustStore");
    }
  }

  @Test
  void aServerThatStaysSilentIsLostAfterTheSocketTimeout() throws IOException {
    lake.strike("PutObject#1=stall:5s");
    StoreException e =
        lake.failure(
            "lake", Map.of("penstock.socket.timeout", "200ms"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(e).hasMessageContaining("penstock.socket.timeout");
  }

  @Test
  void anInterruptIsNoFailureOfTheStore() {
    try (ObjectStore store = lake.open("lake", Map.of())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> put(store, "key")).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void aResetConnectionMayHaveActed() throws IOException {
    assertThat(lake.struckBy("reset-before").kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(lake.struckBy("reset-after").kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aTruncatedReadIsLost() throws IOException {
    try (ObjectStore store = lake.open("lake", Map.of())) {
      store.put("long", Body.ofBytes(new byte[100_000]), Condition.NONE);
    }
    lake.strike("GetObject#1=truncate");
    StoreException e =
        lake.failure(
            "lake",
            Map.of(),
            store -> store.get("long", new ByteRange(0, 100_000), Optional.empty()));
    assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aTruncatedListingIsLost() throws IOException {
    lake.strike("ListObjectsV2#1=truncate");
    StoreException e = lake.failure("lake", Map.of(), store -> store.list(ListRequest.flat("")));
    assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
  }
}
