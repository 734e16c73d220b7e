/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Parts that are sent beside the writer, on real threads. */
class PartsInFlightTest {
  private final Fixture s3 = new Fixture();

  @Test
  void anObjectWithAHoleIsNeverCompletedAfterAnInterrupt() throws Exception {
    Semaphore gate = new Semaphore(0);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      ObjectStore gated = gatedParts(gate, new Semaphore(0), new InFlight());
      ObjectWriter writer =
          new Uploader(gated, pool::execute, Fixture.parts(10, 1), new UploadRoom())
              .write("key", Condition.NONE);
      writer.write(Fixture.content(20));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> writer.write(Fixture.content(15)))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      gate.release(1000);

      assertThatThrownBy(writer::close).isInstanceOf(IOException.class);

      assertThat(s3.keys()).isEmpty();
      assertThat(s3.pendingUploads()).isEmpty();
    } finally {
      pool.shutdownNow();
    }
  }

  /** The most parts that were under way at once. */
  private static final class InFlight {
    private int now;
    private int most;

    synchronized void enter() {
      now++;
      most = Math.max(most, now);
    }

    synchronized void leave() {
      now--;
    }

    synchronized int most() {
      return most;
    }
  }

  private ObjectStore gatedParts(Semaphore gate, Semaphore entered, InFlight inFlight) {
    return new StoreWrapper(s3.store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        if (operation != Operation.UPLOAD_PART) {
          return call.run();
        }
        inFlight.enter();
        entered.release();
        gate.acquireUninterruptibly();
        try {
          return call.run();
        } finally {
          inFlight.leave();
        }
      }
    };
  }

  @Test
  void neverMorePartsAreUnderWayThanAllowedAndTheWriterWaits() throws Exception {
    Semaphore gate = new Semaphore(0);
    Semaphore entered = new Semaphore(0);
    InFlight inFlight = new InFlight();
    byte[] content = Fixture.content(205);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      ObjectStore gated = gatedParts(gate, entered, inFlight);
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(
              () -> {
                try (ObjectWriter writer =
                    new Uploader(gated, pool::execute, Fixture.parts(10, 3), new UploadRoom())
                        .write("key", Condition.NONE)) {
                  writer.write(content);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              },
              pool);
      for (int part = 1; part <= 21; part++) {
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        assertThat(written).isNotDone();
        gate.release();
      }
      written.get(30, TimeUnit.SECONDS);
    } finally {
      pool.shutdownNow();
    }
    assertThat(inFlight.most()).isBetween(1, 3);
    assertThat(s3.read("key")).isEqualTo(content);
  }
}
