/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.pool.Parallel.Room;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An InternalError stands for an OutOfMemoryError, at which JUnit would end all tests. */
class ParallelTest {
  @Test
  void anErrorOfAnActionIsAnIoExceptionWithItsCauseAndTheOthersRun() {
    List<Integer> done = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Parallel.forEach(
                    Runnable::run,
                    List.of(1, 2, 3),
                    item -> {
                      if (item == 2) {
                        throw new InternalError("Java heap space");
                      }
                      done.add(item);
                    }))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(InternalError.class);
    assertThat(done).containsExactly(1, 3);
  }

  @Test
  void aPoolThatTakesNoMoreWorkIsAFailureOnceAllThatItTookIsDone() {
    List<Runnable> taken = new ArrayList<>();
    List<Integer> done = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Parallel.forEach(
                    work -> {
                      if (taken.size() == 1) {
                        // The first work is still to be done when the second is refused.
                        taken.remove(0).run();
                        throw new InternalError("unable to create native thread");
                      }
                      taken.add(work);
                    },
                    List.of(1, 2),
                    done::add))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("unable to create native thread");
    assertThat(done).containsExactly(1);
  }

  @Test
  void oneFailureThatManyItemsShareIsThrownOnce() {
    IOException shared = new IOException("the upload was dropped");
    assertThatThrownBy(
            () ->
                Parallel.forEach(
                    Runnable::run,
                    List.of(1, 2),
                    item -> {
                      throw shared;
                    }))
        .isSameAs(shared);
  }

  @Test
  void workThatMustBeUndoneStopsAtTheFirstFailure() {
    List<Integer> done = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Parallel.untilFailure(
                    Runnable::run,
                    List.of(1, 2, 3, 4),
                    item -> {
                      if (item == 2) {
                        throw new IOException("the store is away");
                      }
                      done.add(item);
                    }))
        .hasMessage("the store is away")
        .hasNoSuppressedExceptions();
    assertThat(done).containsExactly(1);
  }

  @Test
  void ofManyFailuresTheFirstIsThrownWithTheNextAndACount() {
    assertThatThrownBy(
            () ->
                Parallel.forEach(
                    Runnable::run,
                    IntStream.rangeClosed(1, 1522).boxed().toList(),
                    item -> {
                      throw new IOException("failure " + item);
                    }))
        .hasMessage("failure 1")
        .satisfies(
            e -> {
              assertThat(e.getSuppressed()).hasSize(1);
              assertThat(e.getSuppressed()[0])
                  .hasMessage("there were 1,521 more failures; the first of them:")
                  .hasRootCauseMessage("failure 2");
            });
  }

  @Test
  void ofTwoFailuresTheSecondIsSuppressedAsItIs() {
    assertThatThrownBy(
            () ->
                Parallel.forEach(
                    Runnable::run,
                    List.of(1, 2),
                    item -> {
                      throw new IOException("failure " + item);
                    }))
        .hasMessage("failure 1")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("failure 2"));
  }

  @Test
  void itemsAreAskedForOnlyWhileThereIsRoom() throws IOException {
    Thread caller = Thread.currentThread();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger askedMeanwhile = new AtomicInteger();
    Iterable<Integer> items =
        () -> IntStream.range(0, 100).peek(item -> asked.incrementAndGet()).iterator();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Parallel.forEachIn(
          item -> pool,
          items,
          Room.of(5),
          item -> {
            if (item == 0) {
              while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              askedMeanwhile.set(asked.get());
            }
          });
    } finally {
      pool.shutdown();
    }
    // Five, and one in the hand.
    assertThat(askedMeanwhile).hasValue(6);
    assertThat(asked).hasValue(100);
  }

  @Test
  void eachItemThatIsDoneMakesRoomForOneMore() {
    Thread caller = Thread.currentThread();
    AtomicInteger asked = new AtomicInteger();
    // While an item runs: itself, those that wait in the pool, and one in the hand.
    List<Integer> expected = List.of(2, 4, 6, 7, 8, 9);
    List<Integer> seen = new ArrayList<>();
    Iterable<Integer> items =
        () -> IntStream.range(0, 10).peek(item -> asked.incrementAndGet()).iterator();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      assertThatThrownBy(
              () ->
                  Parallel.forEachIn(
                      item -> pool,
                      items,
                      new Room(1, 3),
                      item -> {
                        while (item < expected.size()
                            && (asked.get() < expected.get(item)
                                || caller.getState() != Thread.State.WAITING)) {
                          Thread.onSpinWait();
                        }
                        seen.add(asked.get());
                        if (item == 1) {
                          throw new IOException("failure");
                        }
                      }))
          .hasMessage("failure");
    } finally {
      pool.shutdown();
    }
    assertThat(seen.subList(0, expected.size())).isEqualTo(expected);
    assertThat(asked).hasValue(10);
  }

  @Test
  void theFirstFailureIsThatOfTheFirstItemAlsoWhenALaterOneFailedBefore() {
    List<Runnable> waiting = new ArrayList<>();
    Executor lastFirst =
        work -> {
          waiting.add(0, work);
          if (waiting.size() == 3) {
            waiting.forEach(Runnable::run);
          }
        };
    assertThatThrownBy(
            () ->
                Parallel.forEach(
                    lastFirst,
                    List.of(1, 2, 3),
                    item -> {
                      throw new IOException("failure " + item);
                    }))
        .hasMessage("failure 1")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasRootCauseMessage("failure 2"));
  }

  /** Cannot even be asked what it is. */
  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  @Test
  void noFailureIsTakenForSuccess() {
    assertThatThrownBy(
            () ->
                Parallel.untilFailure(
                    Runnable::run,
                    List.of(1, 2, 3),
                    item -> {
                      if (item == 2) {
                        throw new Unspeakable();
                      }
                    }))
        .isNotNull();
  }

  @Test
  void itemsThatFailToComeAreAFailureOnceAllBeforeThemAreDone() {
    List<Integer> done = new ArrayList<>();
    Iterable<Integer> items =
        () ->
            IntStream.range(0, 5)
                .map(
                    item -> {
                      if (item == 3) {
                        throw new IllegalStateException("no more");
                      }
                      return item;
                    })
                .iterator();
    assertThatThrownBy(() -> Parallel.forEach(Runnable::run, items, done::add))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("no more");
    assertThat(done).containsExactly(0, 1, 2);
  }
}
