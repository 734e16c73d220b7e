/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static io.penstock.core.hedge.Fixture.BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.metrics.HedgeMetrics.Count;
import io.penstock.core.request.Attempt;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Races on real threads, whose losers are cut. */
class HedgeThreadsTest {
  private final Fixture s3 = new Fixture();

  /** Blocks attempts until they are cut or let go; on real threads. */
  private static final class Gates extends StoreWrapper {
    final CountDownLatch firstIsIn = new CountDownLatch(1);
    final CountDownLatch hedgeIsIn = new CountDownLatch(1);
    final CountDownLatch letFirstGo = new CountDownLatch(1);
    final CountDownLatch hedgeIsOut = new CountDownLatch(1);
    final AtomicReference<InputStream> hedgeReads = new AtomicReference<>();
    private int entered;

    Gates(ObjectStore inner) {
      super(inner);
    }

    private synchronized boolean isFirst() {
      return entered++ == 0;
    }

    @Override
    public String put(String key, Body body, Condition condition) throws IOException {
      boolean first = isFirst();
      CountDownLatch go = first ? letFirstGo : new CountDownLatch(1);
      Attempt attempt = Attempt.current().orElseThrow();
      attempt.onCut(go::countDown);
      if (!first) {
        hedgeReads.set(body.open());
      }
      (first ? firstIsIn : hedgeIsIn).countDown();
      try {
        go.await();
        if (attempt.cutBecause().isPresent()) {
          throw StoreException.of(Kind.CONNECTION_LOST, Operation.PUT, key, "Socket closed.");
        }
        return super.put(key, body, condition);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      } finally {
        if (!first) {
          hedgeIsOut.countDown();
        }
      }
    }
  }

  /** Runs the work beside a hedged PUT, both of whose attempts are under way. */
  private void besideAHedgedPut(Gates gates, ThrowingWork work) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      LayeredStore hedged = s3.hedged(gates, threads);
      AtomicReference<Thread> caller = new AtomicReference<>();
      Future<String> put =
          threads.submit(
              () -> {
                caller.set(Thread.currentThread());
                return hedged.put("b", BYTES, Condition.NONE);
              });
      assertThat(gates.firstIsIn.await(60, TimeUnit.SECONDS)).isTrue();
      for (int tick = 0; tick < 201; tick++) {
        s3.time.advance(Duration.ofMillis(10));
        s3.watch.tick(s3.time.nowNanos());
      }
      assertThat(gates.hedgeIsIn.await(60, TimeUnit.SECONDS)).isTrue();
      work.run(put, caller.get());
      assertThat(gates.hedgeIsOut.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdownNow();
    }
  }

  @FunctionalInterface
  private interface ThrowingWork {
    void run(Future<String> put, Thread caller) throws Exception;
  }

  @Test
  void whenTheFirstAnswersTheHedgeIsCutAndReadsTheBodyNoMore() throws Exception {
    Gates gates = new Gates(s3.memory);
    besideAHedgedPut(
        gates,
        (put, caller) -> {
          assertThat(gates.hedgeReads.get().read()).isEqualTo(1);
          gates.letFirstGo.countDown();
          assertThat(put.get(60, TimeUnit.SECONDS)).isEqualTo("5289df737df57326fcdd22597afb1fac");
          assertThatThrownBy(() -> gates.hedgeReads.get().read())
              .hasMessage("another attempt has already ended this request");
        });
    assertThat(s3.metrics.count()).isEqualTo(new Count(1, 0, 1, 0, 0, 0));
  }

  @Test
  void anInterruptOfTheCallerEndsAllAttempts() throws Exception {
    Gates gates = new Gates(s3.memory);
    besideAHedgedPut(
        gates,
        (put, caller) -> {
          caller.interrupt();
          assertThatThrownBy(() -> put.get(60, TimeUnit.SECONDS))
              .hasCauseInstanceOf(InterruptedIOException.class);
        });
  }
}
