/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static io.penstock.core.hedge.Fixture.BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.metrics.HedgeMetrics.Count;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The choice of the requests that are made a second time, and of when and how often. */
class HedgeLayerTest {
  private final Fixture s3 = new Fixture();

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return s3.hedged(new InMemoryStore("lake", s3.time), Runnable::run);
    }
  }

  @Test
  void aFastRequestIsMadeOnce() throws IOException {
    s3.slow.takes(900);
    s3.store.head("a");
    assertThat(s3.slow.requests()).isEqualTo(1);
    assertThat(s3.metrics.count()).isEqualTo(new Count(0, 0, 0, 0, 0, 0));
  }

  @Test
  void aSlowOneIsOvertakenByASecondAttemptAfterASecond() throws IOException {
    s3.slow.takes(60_000).takes(80);
    s3.store.head("a");
    assertThat(s3.time.nowNanos()).isEqualTo(1_080_000_000L);
    assertThat(s3.slow.requests()).isEqualTo(2);
    assertThat(s3.metrics.count()).isEqualTo(new Count(1, 1, 0, 0, 0, 0));
  }

  @Test
  void everyRequestThatMayBeMadeTwiceIsHedged() throws IOException {
    s3.slow.takes(9_000).takes(80).takes(9_000).takes(80);
    s3.slow.takes(9_000).takes(80).takes(9_000).takes(80);
    s3.store.get("a", new ByteRange(0, 3), Optional.empty());
    s3.store.list(ListRequest.flat(""));
    s3.store.put("b", BYTES, Condition.NONE);
    Upload upload = s3.memory.createUpload("c");
    Part part = s3.store.uploadPart(upload, 1, BYTES);
    assertThat(part.etag()).isEqualTo("5289df737df57326fcdd22597afb1fac");
    assertThat(s3.slow.requests()).isEqualTo(8);
    assertThat(s3.metrics.count().won()).isEqualTo(4);
  }

  @Test
  void aPlainPutIsHedgedAfterTwoSecondsAtTheSoonest() throws IOException {
    s3.slow.takes(1_900);
    s3.store.put("b", BYTES, Condition.NONE);
    assertThat(s3.slow.requests()).isEqualTo(1);
    s3.slow.takes(9_000).takes(80);
    s3.store.put("b", BYTES, Condition.NONE);
    assertThat(s3.slow.requests()).isEqualTo(3);
    assertThat(s3.time.nowNanos()).isEqualTo(3_980_000_000L);
  }

  @Test
  void whatMeansSomethingElseTheSecondTimeIsNot() throws IOException {
    s3.slow.takes(9_000).takes(9_000).takes(9_000).takes(9_000);
    s3.store.copy("a", "c", Optional.empty());
    s3.store.delete("c");
    Upload upload = s3.store.createUpload("d");
    s3.store.abortUpload(upload);
    assertThat(s3.slow.requests()).isEqualTo(4);
  }

  @Test
  void disabledEveryRequestIsMadeOnce() throws IOException {
    LayeredStore plain = s3.hedged(s3.slow, Runnable::run, false);
    s3.slow.takes(9_000).takes(9_000);
    plain.head("a");
    plain.put("b", BYTES, Condition.NONE);
    assertThat(s3.slow.requests()).isEqualTo(2);
  }

  @Test
  void theThirdAndFourthAttemptComeAtTwiceAndThreeTimesTheDelay() throws IOException {
    List<Long> starts = new ArrayList<>();
    LayeredStore queued = s3.hedged(s3.slow, work -> starts.add(s3.time.nowNanos() / 1_000_000));
    s3.slow.takes(3_500);
    queued.head("a");
    // The budget gets scarce by a tenth with each: 5 % more patience a hedge.
    assertThat(starts).containsExactly(1_000L, 2_100L, 3_300L);
  }

  @Test
  void aPoolThatIsFullMeansNoHedge() throws IOException {
    LayeredStore full =
        s3.hedged(
            s3.slow,
            work -> {
              throw new RejectedExecutionException("full");
            });
    s3.slow.takes(2_500);
    full.head("a");
    assertThat(s3.slow.requests()).isEqualTo(1);
    assertThat(s3.metrics.count()).isEqualTo(new Count(0, 0, 0, 1, 0, 0));
  }

  @Test
  void withTheBudgetSpentARequestGoesOnAlone() throws IOException {
    for (int i = 0; i < 10; i++) {
      s3.slow.takes(9_000).takes(10);
      s3.store.head("a");
    }
    assertThat(s3.metrics.count()).isEqualTo(new Count(10, 10, 0, 0, 0, 0));
    s3.slow.takes(9_000);
    s3.store.head("a");
    assertThat(s3.slow.requests()).isEqualTo(21);
    assertThat(s3.metrics.count()).isEqualTo(new Count(10, 10, 0, 1, 0, 0));
  }

  @Test
  void aHedgeThatIsStillWaitingForItsTurnWhenTheFirstAnswersCostsNothing() throws IOException {
    List<Runnable> waiting = new ArrayList<>();
    LayeredStore queued = s3.hedged(s3.slow, waiting::add);
    s3.slow.takes(1_500);
    queued.head("a");
    waiting.forEach(Runnable::run);
    assertThat(waiting).hasSize(1);
    assertThat(s3.slow.requests()).isEqualTo(1);
    assertThat(s3.metrics.count().started()).isZero();
  }
}
