/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.deadline.DeadlineDecider;
import io.penstock.core.deadline.DeadlineLayer;
import io.penstock.core.deadline.SlowStore;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Layer;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a store that may lose an upload whose Complete is cut. */
class DoubledCompleteTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Watchdog watch = new Watchdog(time);
  private final HedgeMetrics metrics = new HedgeMetrics();
  private final InMemoryStore memory = new InMemoryStore("lake", time);
  private final SlowStore slow = new SlowStore(memory, time, watch);
  private final ObjectStore store = hedged(new Fragile(slow));
  private PendingUpload pending;

  private static class Fragile extends StoreWrapper {
    Fragile(ObjectStore inner) {
      super(inner);
    }

    @Override
    public StoreTraits traits() {
      return StoreTraits.unknown(PartNumbering.CONSECUTIVE);
    }
  }

  /** Hedges run at once, inside of the look that starts them. */
  private ObjectStore hedged(ObjectStore inner) {
    HedgeConfig config = new HedgeConfig(true, 0.98, 0.02, Duration.ofMillis(50));
    LatencyModel model = new LatencyModel(0.98);
    DeadlineDecider deadlines =
        new DeadlineDecider(
            new DeadlineConfig(true, Duration.ofSeconds(10), Duration.ofSeconds(10)), model);
    HedgeDecider hedges = new HedgeDecider(config, model);
    Layer timely = new DeadlineLayer(new ThreadEnd(), deadlines, model, watch, metrics);
    return LayeredStores.of(
        inner, new HedgeLayer(timely, timely, config, hedges, watch, metrics, Runnable::run));
  }

  @BeforeEach
  void upload() throws IOException {
    Upload upload = memory.createUpload("a");
    Part part = memory.uploadPart(upload, 1, Body.ofBytes(new byte[] {1, 2, 3}));
    pending = new PendingUpload(upload, List.of(part));
  }

  @Test
  void aSlowCompleteIsOvertakenByASecondOne() throws IOException {
    slow.takes(60_000).takes(80);
    assertThat(store.completeUpload(pending, Condition.NONE))
        .isEqualTo(Etags.ofParts(pending.parts()));
    assertThat(Duration.ofNanos(time.nowNanos())).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aRefusalOfTheSecondOneDoesNotEndTheFirst() throws IOException {
    ObjectStore busy =
        new Fragile(slow) {
          private int completions;

          @Override
          public String completeUpload(PendingUpload upload, Condition condition)
              throws IOException {
            if (completions++ == 0) {
              return super.completeUpload(upload, condition);
            }
            throw StoreException.of(Kind.NO_SUCH_UPLOAD, Operation.COMPLETE_UPLOAD, "a", "gone.");
          }
        };
    slow.takes(30_000);
    assertThat(hedged(busy).completeUpload(pending, Condition.NONE))
        .isEqualTo(Etags.ofParts(pending.parts()));
    assertThat(Duration.ofNanos(time.nowNanos())).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void aYesToTheSecondOneIsNotBelievedBeforeTheObjectIsThere() throws IOException {
    ObjectStore hasty =
        new Fragile(slow) {
          private int completions;

          @Override
          public String completeUpload(PendingUpload upload, Condition condition)
              throws IOException {
            return completions++ == 0
                ? super.completeUpload(upload, condition)
                : Etags.ofParts(upload.parts());
          }
        };
    slow.takes(30_000);
    hedged(hasty).completeUpload(pending, Condition.NONE);
    assertThat(Duration.ofNanos(time.nowNanos())).isEqualTo(Duration.ofSeconds(30));
    assertThat(memory.head("a").sizeBytes()).isEqualTo(3);
  }

  @Test
  void theSecondOneFindsWhatTheFirstHasDone() throws IOException {
    ObjectStore silent =
        new Fragile(slow) {
          private int completions;

          @Override
          public String completeUpload(PendingUpload upload, Condition condition)
              throws IOException {
            if (completions++ == 0) {
              memory.completeUpload(upload, condition); // and its answer does not come
            }
            return super.completeUpload(upload, condition);
          }
        };
    slow.takes(60_000);
    assertThat(hedged(silent).completeUpload(pending, Condition.NONE))
        .isEqualTo(Etags.ofParts(pending.parts()));
    assertThat(Duration.ofNanos(time.nowNanos())).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aLoneRefusalIsTheFailure() throws IOException {
    memory.abortUpload(pending.upload());
    assertThatThrownBy(() -> store.completeUpload(pending, Condition.NONE))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_UPLOAD));
  }

  @Test
  void aConditionalCompleteIsMadeOnce() throws IOException {
    slow.takes(30_000);
    store.completeUpload(pending, Condition.IF_ABSENT);
    assertThat(slow.requests()).isEqualTo(1);
  }
}
