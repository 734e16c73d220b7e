/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.deadline.DeadlineDecider;
import io.penstock.core.deadline.DeadlineStore;
import io.penstock.core.deadline.SlowStore;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.HedgeMetrics.Count;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Part;
import io.penstock.core.store.PartNumbering;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.Upload;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HedgingStoreTest {
  private static final Body BYTES = Body.ofBytes(new byte[] {1, 2, 3});

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Watchdog watch = new Watchdog(time);
  private final HedgeMetrics metrics = new HedgeMetrics();
  private final InMemoryStore memory = new InMemoryStore("lake", time);
  private final SlowStore slow = new SlowStore(memory, time, watch);

  /** Hedges run at once, inside of the look that starts them. */
  private final HedgingStore store = hedged(slow, Runnable::run);

  private HedgingStore hedged(ObjectStore inner, Executor pool) {
    return hedged(inner, pool, true);
  }

  private HedgingStore hedged(ObjectStore inner, Executor pool, boolean enabled) {
    HedgeConfig config = new HedgeConfig(enabled, 0.98, 0.02, Duration.ofMillis(50));
    LatencyModel model = new LatencyModel(0.98);
    DeadlineDecider deadlines =
        new DeadlineDecider(
            new DeadlineConfig(true, Duration.ofSeconds(10), Duration.ofSeconds(10)), model);
    ObjectStore timely = new DeadlineStore(inner, deadlines, model, watch, metrics);
    HedgeDecider decider = new HedgeDecider(config, model);
    return new HedgingStore(timely, timely, config, decider, watch, metrics, pool);
  }

  @BeforeEach
  void fill() throws IOException {
    memory.put("a", BYTES, Condition.NONE);
  }

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return hedged(new InMemoryStore("lake", time), Runnable::run);
    }
  }

  @Test
  void aFastRequestIsMadeOnce() throws IOException {
    slow.takes(900);
    store.head("a");
    assertThat(slow.requests()).isEqualTo(1);
    assertThat(metrics.count()).isEqualTo(new Count(0, 0, 0, 0, 0, 0));
  }

  @Test
  void aSlowOneIsOvertakenByASecondAttemptAfterASecond() throws IOException {
    slow.takes(60_000).takes(80);
    store.head("a");
    assertThat(time.nowNanos()).isEqualTo(1_080_000_000L);
    assertThat(slow.requests()).isEqualTo(2);
    assertThat(metrics.count()).isEqualTo(new Count(1, 1, 0, 0, 0, 0));
  }

  @Test
  void everyRequestThatMayBeMadeTwiceIsHedged() throws IOException {
    slow.takes(9_000).takes(80).takes(9_000).takes(80);
    slow.takes(9_000).takes(80).takes(9_000).takes(80);
    store.get("a", new ByteRange(0, 3), Optional.empty());
    store.list(ListRequest.flat(""));
    store.put("b", BYTES, Condition.NONE);
    Upload upload = memory.createUpload("c");
    Part part = store.uploadPart(upload, 1, BYTES);
    assertThat(part.etag()).isEqualTo("5289df737df57326fcdd22597afb1fac");
    assertThat(slow.requests()).isEqualTo(8);
    assertThat(metrics.count().won()).isEqualTo(4);
  }

  @Test
  void aPlainPutIsHedgedAfterTwoSecondsAtTheSoonest() throws IOException {
    slow.takes(1_900);
    store.put("b", BYTES, Condition.NONE);
    assertThat(slow.requests()).isEqualTo(1);
    slow.takes(9_000).takes(80);
    store.put("b", BYTES, Condition.NONE);
    assertThat(slow.requests()).isEqualTo(3);
    assertThat(time.nowNanos()).isEqualTo(3_980_000_000L);
  }

  @Test
  void whatMeansSomethingElseTheSecondTimeIsNot() throws IOException {
    slow.takes(9_000).takes(9_000).takes(9_000).takes(9_000).takes(9_000);
    store.put("b", BYTES, Condition.IF_ABSENT); // without a mark nobody knows whose object it is
    store.copy("a", "c", Optional.empty());
    store.delete("c");
    Upload upload = store.createUpload("d");
    store.abortUpload(upload);
    assertThat(slow.requests()).isEqualTo(5);
  }

  /** Writes at once and answers late, so that a second attempt meets the first one's object. */
  private ObjectStore answeringLate() {
    return new StoreWrapper(slow) {
      @Override
      public String put(String key, Body body, Condition condition) throws IOException {
        String etag = memory.put(key, body, condition);
        slow.list(ListRequest.flat(""));
        return etag;
      }
    };
  }

  @Test
  void aMarkedPutIsHedgedAndARefusalBecauseOfItselfIsItsSuccess() throws IOException {
    HedgingStore hedged = hedged(answeringLate(), Runnable::run);
    slow.takes(60_000).takes(20);
    String etag = hedged.put("b", BYTES, Condition.IF_ABSENT.marked("mine"));
    assertThat(etag).isEqualTo("5289df737df57326fcdd22597afb1fac");
    assertThat(time.nowNanos()).isEqualTo(1_030_000_000L); // the first sees its cut
    assertThat(memory.head("b").mark()).contains("mine");
  }

  @Test
  void aMarkedPutThatCannotSeeWhoseObjectIsInItsWayLeavesItToTheOtherAttempts() throws IOException {
    HedgingStore hedged = hedged(answeringLate(), Runnable::run);
    slow.takes(60_000).fails(20, Kind.THROTTLED);
    String etag = hedged.put("b", BYTES, Condition.IF_ABSENT.marked("mine"));
    assertThat(etag).isEqualTo("5289df737df57326fcdd22597afb1fac");
  }

  /** The first attempt is refused because of the hedge's object, and its look at it fails. */
  @Test
  void aLoserThatCannotSeeWhoseObjectIsInItsWayNeverReplacesTheAnswer() throws IOException {
    HedgingStore hedged =
        hedged(
            new StoreWrapper(slow) {
              private int puts;

              @Override
              public String put(String key, Body body, Condition condition) throws IOException {
                if (puts++ == 0) {
                  try {
                    slow.list(ListRequest.flat("")); // the hedge comes, writes and is answered
                  } catch (StoreException e) {
                    assertThat(e).hasMessageContaining("Socket closed");
                  }
                }
                return memory.put(key, body, condition);
              }
            },
            Runnable::run);
    slow.takes(1_500);
    String etag = hedged.put("b", BYTES, Condition.IF_ABSENT.marked("mine"));
    assertThat(etag).isEqualTo("5289df737df57326fcdd22597afb1fac");
    assertThat(memory.head("b").mark()).contains("mine");
  }

  /** Throws what no store should, after its time. */
  private ObjectStore broken(RuntimeException first) {
    return new StoreWrapper(slow) {
      private int requests;

      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        boolean isFirst = requests++ == 0;
        T answer = call.run();
        if (isFirst) {
          throw first;
        }
        return answer;
      }
    };
  }

  @Test
  void aLoserThatFailsByAFaultOfTheProgramNeverReplacesTheAnswer() throws IOException {
    slow.takes(1_500).takes(20);
    HedgingStore hedged = hedged(broken(new IllegalStateException("a fault")), Runnable::run);
    assertThat(hedged.head("a").key()).isEqualTo("a");
  }

  @Test
  void aFaultOfTheProgramIsToldAsWhatItIs() {
    slow.takes(1_500).fails(20, Kind.SERVER_ERROR);
    HedgingStore hedged = hedged(broken(new IllegalStateException("a fault")), Runnable::run);
    assertThatThrownBy(() -> hedged.head("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a fault")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("SERVER_ERROR"));
  }

  @Test
  void whenTheStoreMayHaveActedOnAnyAttemptThatIsWhatIsThrown() {
    slow.fails(1_500, Kind.UNREACHABLE).fails(20, Kind.CONNECTION_LOST);
    assertThatThrownBy(() -> store.put("b", BYTES, Condition.IF_ABSENT.marked("mine")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("UNREACHABLE"));
  }

  @Test
  void aMarkedPutThatFindsAnothersObjectIsRefusedByWhicheverAttempt() throws IOException {
    slow.takes(60_000).takes(20).takes(20);
    memory.put("b", BYTES, Condition.IF_ABSENT.marked("theirs"));
    assertThatThrownBy(() -> store.put("b", BYTES, Condition.IF_ABSENT.marked("mine")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));
    assertThat(memory.head("b").mark()).contains("theirs");
    assertThat(time.nowNanos()).isEqualTo(1_050_000_000L);
  }

  @Test
  void aMarkedPutThatIsRefusedAtOnceAsksNothingMore() throws IOException {
    memory.put("b", BYTES, Condition.NONE);
    assertThatThrownBy(() -> store.put("b", BYTES, Condition.IF_ABSENT.marked("mine")))
        .isInstanceOf(StoreException.class);
    assertThat(slow.requests()).isEqualTo(1);
  }

  @Test
  void disabledEveryRequestIsMadeOnce() throws IOException {
    HedgingStore plain = hedged(slow, Runnable::run, false);
    slow.takes(9_000).takes(9_000);
    plain.head("a");
    plain.put("b", BYTES, Condition.NONE);
    assertThat(slow.requests()).isEqualTo(2);
  }

  @Test
  void theThirdAndFourthAttemptComeAtTwiceAndThreeTimesTheDelay() throws IOException {
    List<Long> starts = new ArrayList<>();
    HedgingStore queued = hedged(slow, work -> starts.add(time.nowNanos() / 1_000_000));
    slow.takes(3_500);
    queued.head("a");
    // The budget gets scarce by a tenth with each: 5 % more patience a hedge.
    assertThat(starts).containsExactly(1_000L, 2_100L, 3_300L);
  }

  @Test
  void aHedgeThatFailsLeavesItToTheFirst() throws IOException {
    slow.takes(1_500).fails(20, Kind.SERVER_ERROR);
    store.head("a");
    assertThat(slow.requests()).isEqualTo(2);
    assertThat(metrics.count()).isEqualTo(new Count(1, 0, 1, 0, 0, 0));
  }

  @Test
  void aFailureThatEveryAttemptWouldMeetEndsTheRace() {
    slow.takes(60_000).fails(20, Kind.ACCESS_DENIED);
    assertThatThrownBy(() -> store.head("a"))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED));
    assertThat(time.nowNanos()).isEqualTo(1_020_000_000L);
  }

  @Test
  void whenAllFailTheFirstFailureIsThrownAndTheOthersAreSuppressed() {
    slow.fails(1_500, Kind.SERVER_ERROR).fails(20, Kind.THROTTLED);
    assertThatThrownBy(() -> store.head("a"))
        .hasMessageContaining("scripted SERVER_ERROR")
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("scripted THROTTLED"));
  }

  @Test
  void aPoolThatIsFullMeansNoHedge() throws IOException {
    HedgingStore full =
        hedged(
            slow,
            work -> {
              throw new RejectedExecutionException("full");
            });
    slow.takes(2_500);
    full.head("a");
    assertThat(slow.requests()).isEqualTo(1);
    assertThat(metrics.count()).isEqualTo(new Count(0, 0, 0, 1, 0, 0));
  }

  @Test
  void withTheBudgetSpentARequestGoesOnAlone() throws IOException {
    for (int i = 0; i < 10; i++) {
      slow.takes(9_000).takes(10);
      store.head("a");
    }
    assertThat(metrics.count()).isEqualTo(new Count(10, 10, 0, 0, 0, 0));
    slow.takes(9_000);
    store.head("a");
    assertThat(slow.requests()).isEqualTo(21);
    assertThat(metrics.count()).isEqualTo(new Count(10, 10, 0, 1, 0, 0));
  }

  @Test
  void aHedgeThatIsStillWaitingForItsTurnWhenTheFirstAnswersCostsNothing() throws IOException {
    List<Runnable> waiting = new ArrayList<>();
    HedgingStore queued = hedged(slow, waiting::add);
    slow.takes(1_500);
    queued.head("a");
    waiting.forEach(Runnable::run);
    assertThat(waiting).hasSize(1);
    assertThat(slow.requests()).isEqualTo(1);
    assertThat(metrics.count().started()).isZero();
  }

  @Test
  void aStoreWhoseEtagsAreNotOfTheContentGetsThePartOnceMoreAndNoHedgesFromThenOn()
      throws IOException {
    ObjectStore salted =
        new StoreWrapper(slow) {
          private int answers;

          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            Attempt.current().orElseThrow().sent();
            return call.run();
          }

          @Override
          public Part uploadPart(Upload upload, int number, Body body) throws IOException {
            Attempt.current().orElseThrow().sent();
            Part part = inner.uploadPart(upload, number, body);
            return new Part(number, "salted-" + ++answers, part.sizeBytes());
          }
        };
    HedgingStore hedged = hedged(salted, Runnable::run);
    Upload upload = memory.createUpload("c");

    slow.takes(9_000).takes(80).takes(50);
    assertThat(hedged.uploadPart(upload, 1, BYTES).etag()).isEqualTo("salted-2");
    assertThat(slow.requests()).isEqualTo(3);

    slow.takes(3_000);
    hedged.uploadPart(upload, 2, BYTES);
    assertThat(slow.requests()).isEqualTo(4);
  }

  /** A store that, like MinIO, loses the part of a number when an attempt at it is cut late. */
  private final class Dropping extends StoreWrapper {
    Dropping() {
      super(slow);
    }

    @Override
    public boolean uploadsSurviveCuts() {
      return false;
    }

    @Override
    public Part uploadPart(Upload upload, int number, Body body) throws IOException {
      try {
        return inner.uploadPart(upload, number, body);
      } finally {
        if (Attempt.current().orElseThrow().cutBecause().isPresent()) {
          memory.uploadPart(upload, number, Body.ofBytes(new byte[] {0}));
        }
      }
    }
  }

  @Test
  void aHedgedPartSurvivesAStoreThatDropsThePartOfACutAttempt() throws IOException {
    HedgingStore hedged = hedged(new Dropping(), Runnable::run);
    Upload upload = memory.createUpload("c");
    slow.takes(60_000).takes(80);

    Part part = hedged.uploadPart(upload, PartNumbering.SPACED.of(0), BYTES);

    assertThat(part.number()).isEqualTo(2);
    assertThat(time.nowNanos()).isEqualTo(1_090_000_000L);
    hedged.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
    assertThat(memory.head("c").sizeBytes()).isEqualTo(3);
  }

  @Test
  void withoutSpareNumbersAPartIsHedgedOnlyWhereUploadsSurviveCuts() throws IOException {
    HedgingStore hedged = hedged(new Dropping(), Runnable::run);
    Upload upload = memory.createUpload("c");
    slow.takes(3_000);

    Part part = hedged.uploadPart(upload, PartNumbering.CONSECUTIVE.of(0), BYTES);

    assertThat(slow.requests()).isEqualTo(1);
    hedged.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
  }

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
      HedgingStore hedged = hedged(gates, threads);
      AtomicReference<Thread> caller = new AtomicReference<>();
      Future<String> put =
          threads.submit(
              () -> {
                caller.set(Thread.currentThread());
                return hedged.put("b", BYTES, Condition.NONE);
              });
      assertThat(gates.firstIsIn.await(60, TimeUnit.SECONDS)).isTrue();
      for (int tick = 0; tick < 201; tick++) {
        time.advance(Duration.ofMillis(10));
        watch.tick(time.nowNanos());
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
    Gates gates = new Gates(memory);
    besideAHedgedPut(
        gates,
        (put, caller) -> {
          assertThat(gates.hedgeReads.get().read()).isEqualTo(1);
          gates.letFirstGo.countDown();
          assertThat(put.get(60, TimeUnit.SECONDS)).isEqualTo("5289df737df57326fcdd22597afb1fac");
          assertThatThrownBy(() -> gates.hedgeReads.get().read())
              .hasMessage("another attempt of this request has ended it");
        });
    assertThat(metrics.count()).isEqualTo(new Count(1, 0, 1, 0, 0, 0));
  }

  @Test
  void anInterruptOfTheCallerEndsAllAttempts() throws Exception {
    Gates gates = new Gates(memory);
    besideAHedgedPut(
        gates,
        (put, caller) -> {
          caller.interrupt();
          assertThatThrownBy(() -> put.get(60, TimeUnit.SECONDS))
              .hasCauseInstanceOf(InterruptedIOException.class);
        });
  }
}
