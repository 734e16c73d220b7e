/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PassingFailuresTest {
  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final FaultyStore store = new FaultyStore(bare);

  /** One view of an event log meets credentials that expire and are renewed a moment later. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"EXPIRED_CREDENTIALS", "BAD_CREDENTIALS", "NOT_S3"})
  void aFailureThatPassesDoesNotEndTheViews(Kind kind) throws Exception {
    FlushedWriter log = FlushedWriterTest.file(store, Condition.NONE, new AtomicInteger());
    log.write(new byte[10]);
    assertThat(log.flushed()).isTrue();
    log.show();
    store.reset();
    store.failBefore(Operation.PUT, 1, kind);
    log.write(new byte[10]);
    assertThat(log.flushed()).isTrue();
    assertThatThrownBy(log::show).isInstanceOf(StoreException.class);
    log.write(new byte[10]);
    assertThat(log.flushed()).isTrue();
    log.show();
    // The driver is killed here.
    assertThat(bare.get("log", new SuffixRange(1L << 30), Optional.empty()).bytes()).hasSize(30);
  }

  /** A store that loses one upload of a view (MinIO does) still has what was shown before. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"NO_SUCH_UPLOAD"})
  void anUploadThatTheStoreLosesDoesNotEndTheViews(Kind kind) throws Exception {
    FlushedWriter log = FlushedWriterTest.file(store, Condition.NONE, new AtomicInteger());
    log.write(new byte[5 << 20]);
    assertThat(log.flushed()).isTrue();
    log.show();
    store.reset();
    store.failBefore(Operation.COMPLETE_UPLOAD, 1, kind);
    log.write(new byte[10]);
    assertThat(log.flushed()).isTrue();
    assertThatThrownBy(log::show).isInstanceOf(StoreException.class);
    assertThat(log.flushed()).isTrue();
    log.show();
    assertThat(bare.head("log").sizeBytes()).isEqualTo((5 << 20) + 10);
  }
}
