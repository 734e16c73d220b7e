/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.RunningAttempt;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store says of an attempt that another thread cut short. */
@Timeout(60)
class CutStoreTest {
  private final Attempt attempt = new Attempt();

  /** Cuts once the request has come, and never answers it. */
  private StoreException failureOf(Call call) throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint", "http://localhost:" + mute.getLocalPort(),
                        "penstock.region", "us-east-1",
                        "penstock.credentials", "anonymous")))) {
      Thread cutting =
          new Thread(
              () -> {
                try (Socket came = mute.accept()) {
                  assertThat(came.getInputStream().read()).isPositive();
                  attempt.cut("no answer within 2.1 s");
                  assertThat(came.getInputStream().readAllBytes()).isNotEmpty();
                } catch (java.io.IOException e) {
                  // The client's end of it.
                }
              });
      cutting.start();
      StoreException failure =
          catchThrowableOfType(
              StoreException.class,
              () ->
                  RunningAttempt.run(
                      attempt,
                      own -> {
                        call.on(store);
                        return null;
                      }));
      cutting.join();
      assertThat(Thread.interrupted()).isFalse();
      return failure;
    }
  }

  private interface Call {
    void on(ObjectStore store) throws java.io.IOException;
  }

  @Test
  void aCutReadIsALostConnectionThatSaysWhy() throws Exception {
    StoreException failure =
        failureOf(store -> store.get("a", new ByteRange(0, 10), Optional.empty()));
    assertThat(failure.kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(failure)
        .hasMessageContaining("the attempt was cut short: no answer within 2.1 s.")
        .hasMessageContaining("GET s3://lake/a");
    assertThat(attempt.isSent()).isTrue();
  }

  @Test
  void aCutWriteIsALostConnectionToo() throws Exception {
    StoreException failure =
        failureOf(store -> store.put("a", Body.ofBytes(new byte[20 << 20]), Condition.NONE));
    assertThat(failure.kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(failure).hasMessageContaining("The store may have acted on the request.");
    assertThat(attempt.address()).isEqualTo("127.0.0.1");
  }
}
