/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Views that take effect after their answer was lost. */
class LateViewTest {
  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final AtomicInteger ids = new AtomicInteger();

  private byte[] visible() throws IOException {
    return bare.get("log", new SuffixRange(1L << 30), Optional.empty()).bytes();
  }

  /** Sends a view whose answer is lost, and that takes effect only when it is told to. */
  private static final class LateStore extends StoreWrapper {
    private Callable<String> late;
    private boolean isNextLate;

    LateStore(ObjectStore inner) {
      super(inner);
    }

    @Override
    public String put(String key, Body body, Condition condition) throws IOException {
      if (!isNextLate) {
        return super.put(key, body, condition);
      }
      isNextLate = false;
      late = () -> super.put(key, body, condition);
      throw StoreException.of(Kind.CONNECTION_LOST, Operation.PUT, key, "the answer is lost");
    }
  }

  private FlushedWriter lateView(LateStore slow, Condition condition) throws IOException {
    FlushedWriter mine = FlushedWriterTest.file(slow, condition, ids);
    mine.write(new byte[10]);
    assertThat(mine.flushed()).isTrue();
    mine.show();
    mine.write(new byte[20]);
    slow.isNextLate = true;
    assertThatThrownBy(mine::show).isInstanceOf(StoreException.class);
    return mine;
  }

  @Test
  void aViewThatArrivesLateIsRecognisedAndTheNextOneGoesOn() throws Exception {
    LateStore slow = new LateStore(bare);
    FlushedWriter mine = lateView(slow, Condition.IF_ABSENT);
    mine.write(new byte[5]);
    slow.isNextLate = true;
    assertThatThrownBy(mine::show).isInstanceOf(StoreException.class);
    slow.late.call();
    mine.show();
    assertThat(visible()).hasSize(35);
    mine.write(new byte[7]);
    mine.show();
    mine.close();
    assertThat(visible()).hasSize(42);
  }

  @Test
  void aViewThatArrivesBesideTheNextOneIsRecognised() throws Exception {
    LateStore slow = new LateStore(bare);
    FlushedWriter mine = lateView(slow, Condition.NONE);
    Callable<String> first = slow.late;
    mine.write(new byte[5]);
    slow.isNextLate = true;
    assertThatThrownBy(mine::show).isInstanceOf(StoreException.class);
    first.call();
    mine.show();
    assertThat(visible()).hasSize(35);
    assertThatThrownBy(slow.late::call).isInstanceOf(StoreException.class);
    mine.close();
    assertThat(visible()).hasSize(35);
  }

  @Test
  void aLateViewDoesNotMakeTheCloseOfANewFileFail() throws Exception {
    LateStore slow = new LateStore(bare);
    FlushedWriter mine = lateView(slow, Condition.IF_ABSENT);
    mine.write(new byte[5]);
    mine.close();
    assertThat(visible()).hasSize(35);
    assertThatThrownBy(slow.late::call).as("it is too late").isInstanceOf(StoreException.class);
    assertThat(visible()).hasSize(35);
  }
}
