/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.memory.ArrayPool;
import io.penstock.core.store.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChunksTest {
  private static final int SIZE = 1 << 10;

  private final ArrayPool pool = new ArrayPool(SIZE, 10);

  private Chunks of(int content, int arrays) {
    Chunks chunks = new Chunks(pool);
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, (byte) content);
    for (int i = 0; i < arrays; i++) {
      chunks.add(SIZE);
      chunks.write(bytes, 0, SIZE);
    }
    return chunks;
  }

  @Test
  void aBodyIsReadAndWrittenWhole() throws IOException {
    Chunks chunks = new Chunks(pool);
    chunks.add(10);
    chunks.write(new byte[10], 0, 10);
    chunks.add(SIZE);
    chunks.write(new byte[SIZE], 0, 7);
    Body body = chunks.body();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    body.writeTo(written);
    assertThat(written.size()).isEqualTo(17);
    try (InputStream in = body.open()) {
      assertThat(in.readAllBytes()).hasSize(17);
    }
  }

  @Test
  void anAttemptThatIsLateNeverSendsTheBytesOfAnotherBlock() throws IOException {
    Chunks first = of(1, 3);
    Body body = first.body();
    try (InputStream late = body.open()) {
      assertThat(late.readNBytes(SIZE + 1)).hasSize(SIZE + 1).containsOnly(1);
      first.clear();
      of(2, 3);
      assertThatThrownBy(() -> late.read(new byte[SIZE]))
          .hasMessageContaining("already been released");
    }
    assertThatThrownBy(() -> body.open().read()).hasMessageContaining("already been released");
    assertThatThrownBy(() -> body.writeTo(new ByteArrayOutputStream()))
        .hasMessageContaining("already been released");
  }

  @Test
  void aReaderThatIsOvertakenWhileItCopiesFindsItOut() throws Exception {
    ExecutorService readers = Executors.newSingleThreadExecutor();
    try {
      for (int round = 0; round < 2_000; round++) {
        Chunks first = of(1, 2);
        InputStream in = first.body().open();
        CountDownLatch started = new CountDownLatch(1);
        Future<Boolean> read =
            readers.submit(
                () -> {
                  started.countDown();
                  return readsOnly(in, 1);
                });
        started.await();
        first.clear();
        Chunks second = of(2, 2);
        assertThat(read.get(30, TimeUnit.SECONDS)).as("round %d", round).isTrue();
        second.clear();
      }
    } finally {
      readers.shutdownNow();
    }
  }

  private static boolean readsOnly(InputStream in, int content) {
    byte[] buffer = new byte[100];
    try {
      for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
        for (int i = 0; i < count; i++) {
          if (buffer[i] != content) {
            return false;
          }
        }
      }
      return true;
    } catch (IOException givenBack) {
      return true;
    }
  }
}
