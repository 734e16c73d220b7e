/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FlushQueueTest {
  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicInteger ids = new AtomicInteger();

  /** The first view takes long. */
  private final class SlowStore extends StoreWrapper {
    SlowStore() {
      super(bare);
    }

    @Override
    public String put(String key, Body body, Condition condition) throws IOException {
      if (begun.getCount() > 0) {
        begun.countDown();
        try {
          mayEnd.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      return super.put(key, body, condition);
    }
  }

  /** A long stage of many tasks: much is logged, and nothing flushed. */
  @Test
  @Timeout(60)
  void whatGrowsByMuchIsShownBeforeItsTimeAlsoWithoutAFlush() throws Exception {
    FlushedWriter file = FlushedWriterTest.file(bare, Condition.NONE, ids);
    FlushQueue queue = new FlushQueue(SystemTime.INSTANCE);
    file.shownBy(queue, Duration.ofMinutes(50), new LogOnce(1));
    file.write(new byte[10]);
    assertThat(file.flushed()).isTrue();
    file.show();
    byte[] mib = new byte[1 << 20];
    for (int shown = 0; shown < 20 << 20; shown += 5 << 20) {
      for (int i = 0; i < 5; i++) {
        file.write(mib);
      }
      while (bare.head("log").sizeBytes() < 10 + shown + (4 << 20)) {
        Thread.sleep(5);
      }
    }
    file.close();
    assertThat(bare.head("log").sizeBytes()).isEqualTo(10 + (20 << 20));
  }

  @Test
  @Timeout(60)
  void aFlushDuringASlowViewIsShownAfterIt() throws Exception {
    SlowStore slow = new SlowStore();
    Uploader uploader =
        new Uploader(
            slow, Runnable::run, UploadConfig.from(Settings.of(Map.of())), new UploadRoom());
    FlushedWriter file =
        new FlushedWriter(
            slow,
            "log",
            uploader.write("log", Condition.NONE),
            Condition.NONE,
            () -> "write-" + ids.incrementAndGet());
    FlushQueue queue = new FlushQueue(SystemTime.INSTANCE);
    file.write(new byte[10]);
    assertThat(file.flushed()).isTrue();
    queue.showAfter(Duration.ZERO, file);
    begun.await();

    file.write(new byte[20]);
    assertThat(file.show()).as("an earlier view is under way").isFalse();
    queue.showAfter(Duration.ofMillis(1), file);
    Thread.sleep(20);
    mayEnd.countDown();

    while (bare.list(ListRequest.flat("log")).objects().isEmpty()
        || bare.head("log").sizeBytes() < 30) {
      Thread.sleep(5);
    }
    file.close();
  }
}
