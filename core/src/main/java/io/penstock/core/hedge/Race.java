/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.attempt.Attempt;
import io.penstock.core.attempt.Cancellation;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.deadline.Watched;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.store.Body;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Retry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;

/**
 * Runs the attempts of one request. The first attempt runs on the caller's thread; hedges are added
 * when it is slow. The race ends with the first answer, or with a failure that every attempt would
 * meet. After any other failure, whatever its type, the race continues with the attempts that are
 * still under way. An answer is always kept, even if another attempt fails.
 */
final class Race<T> implements Watched {
  private static final String OUTRUN = "another attempt of this request was faster";

  /** The objects that all races of a store share. */
  record Track(
      ObjectStore first,
      ObjectStore beside,
      HedgeDecider decider,
      Watchdog watch,
      Executor pool,
      HedgeMetrics metrics) {}

  /** A request that can be sent to any store. */
  @FunctionalInterface
  interface Request<T> {
    /**
     * Sends the request to the store.
     *
     * @param gate wraps the body, which must be read only through it
     * @param attempt 0 for the first attempt, 1 for its first hedge
     */
    T to(ObjectStore store, UnaryOperator<Body> gate, int attempt) throws IOException;
  }

  private final Track track;
  private final Request<T> request;
  private final long delayNanos;
  private final long startNanos;
  private final Attempt first = new Attempt();

  // Guarded by this.
  private final List<Hedge> hedges = new ArrayList<>(0);
  private final List<Throwable> failures = new ArrayList<>(0);
  private Hedge winner;
  private T answer;
  private StoreException end;
  private boolean denied;
  private boolean over;

  Race(Track track, long delayNanos, Request<T> request) {
    this.track = track;
    this.delayNanos = delayNanos;
    this.request = request;
    this.startNanos = track.watch().nowNanos();
  }

  T run() throws IOException {
    track.watch().add(this);
    try {
      T own = first.run(() -> request.to(track.first(), body -> body, 0));
      return firstAnswered(own);
    } catch (IOException | RuntimeException | Error e) {
      return firstFailed(e);
    } finally {
      track.watch().remove(this);
      finish();
    }
  }

  private synchronized T firstAnswered(T own) {
    if (answer == null) {
      answer = own;
    }
    return answer;
  }

  private synchronized T firstFailed(Throwable failure) throws IOException {
    if (answer == null && !isFinal(failure) && !isInterrupt(failure)) {
      Cancellation.checkCurrent();
      // Hedges that still wait for a permit are dropped: the retry of the first attempt backs off,
      // they would not.
      hedges.stream().filter(hedge -> !hedge.attempt.isBegun()).forEach(Hedge::giveUpWaiting);
      awaitHedges(failure);
    }
    if (answer != null) {
      return answer;
    }
    // A final failure of a hedge ends all attempts. This attempt's own failure then only shows that
    // it was cut.
    Throwable telling = end != null ? end : mostTelling(failure);
    Throwable thrown = telling == failure ? failure : rethrown(telling);
    failures.stream().filter(other -> other != telling).forEach(thrown::addSuppressed);
    if (telling != failure && end == null) {
      thrown.addSuppressed(failure);
    }
    throw asItIs(thrown);
  }

  /**
   * Returns the failure that the caller must know. If the store may have acted on an attempt, that
   * attempt's failure is returned, because the request must then be repeated with care. A fault of
   * the program is returned as it is, and is not repeated.
   */
  private Throwable mostTelling(Throwable failure) {
    if (mayHaveActed(failure) || !(failure instanceof IOException)) {
      return failure;
    }
    return failures.stream().filter(Race::mayHaveActed).findFirst().orElse(failure);
  }

  private static boolean mayHaveActed(Throwable failure) {
    return failure instanceof StoreException known && known.kind().retry() == Retry.IF_IDEMPOTENT;
  }

  /**
   * Returns the failure if it is an IOException. Throws any other failure unchanged, because a
   * fault of the program is not a failure of the store.
   */
  private static IOException asItIs(Throwable failure) {
    if (failure instanceof RuntimeException fault) {
      throw fault;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (IOException) failure;
  }

  private synchronized void awaitHedges(Throwable failure) throws IOException {
    try {
      while (hedges.stream().anyMatch(Hedge::isAsking) && answer == null && end == null) {
        wait(); // Each hedge has its own deadline, like any attempt.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while a second attempt was under way");
      interrupted.initCause(failure);
      throw interrupted;
    }
  }

  @Override
  public synchronized void look(long nowNanos) {
    if (over || answer != null || end != null) {
      return;
    }
    switch (track.decider().next(delayNanos, nowNanos - startNanos, hedges.size())) {
      case WAIT -> {}
      case DENIED -> deny();
      case START -> startHedge();
    }
  }

  private void startHedge() {
    Hedge hedge = new Hedge(hedges.size() + 1);
    hedges.add(hedge);
    try {
      track.pool().execute(hedge);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no new thread
      hedges.remove(hedge);
      track.decider().giveBack();
      deny();
    }
  }

  private void deny() {
    if (!denied) {
      denied = true;
      track.metrics().denied();
    }
  }

  private void finish() {
    List<Hedge> all;
    synchronized (this) {
      over = true;
      all = List.copyOf(hedges);
    }
    all.forEach(Hedge::stop);
  }

  /** Returns true if only one attempt has been started so far. */
  synchronized boolean isOfOne() {
    return hedges.isEmpty();
  }

  /**
   * Returns true if the store may have acted on an attempt whose answer was not used, possibly
   * after it acted on the attempt whose answer was used. To be called after the race.
   */
  synchronized boolean anotherMayHaveArrived() {
    return (winner != null && first.isSent())
        || hedges.stream().anyMatch(hedge -> hedge != winner && hedge.attempt.isSent());
  }

  private static boolean isFinal(Throwable failure) {
    return failure instanceof StoreException known && known.kind().retry() == Retry.NEVER;
  }

  private static boolean isInterrupt(Throwable failure) {
    return failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted();
  }

  /**
   * Returns a copy of a hedge's failure, to be thrown instead of the first attempt's own failure.
   * Only failures of the type StoreException are thrown this way.
   */
  private static StoreException rethrown(Throwable failure) {
    return ((StoreException) failure).rethrown();
  }

  /** One more attempt, on a thread of the pool. */
  private final class Hedge implements Runnable {
    final Attempt attempt = Attempt.beside(first);
    private final BodyGate gate = new BodyGate();
    private final int number;
    private boolean isUnderWay = true; // guarded by the race

    Hedge(int number) {
      this.number = number;
    }

    @Override
    public void run() {
      if (attempt.cutBecause().isPresent()) {
        return; // The race ended before this thread began.
      }
      try {
        won(attempt.run(() -> request.to(track.beside(), gate::behind, number)));
      } catch (IOException | RuntimeException | Error e) {
        failed(e);
      }
    }

    private void won(T own) {
      synchronized (Race.this) {
        isUnderWay = false;
        if (!over && answer == null && end == null) {
          answer = own;
          winner = this;
        }
        Race.this.notifyAll();
      }
      first.cut(OUTRUN);
    }

    private void failed(Throwable failure) {
      boolean ends;
      synchronized (Race.this) {
        isUnderWay = false;
        failures.add(failure);
        ends = !over && answer == null && isFinal(failure);
        if (ends) {
          end = (StoreException) failure;
        }
        Race.this.notifyAll();
      }
      if (ends) {
        first.cut(OUTRUN);
      }
    }

    /** Ends the hedge if it is under way, counts it, and stops it from reading the body. */
    private void stop() {
      attempt.cut(OUTRUN);
      gate.shut();
      if (!attempt.isBegun()) {
        track.decider().giveBack();
      } else if (isWinner()) {
        track.metrics().won();
      } else {
        track.metrics().lost();
      }
    }

    private void giveUpWaiting() {
      attempt.cut("the first attempt failed, and is repeated");
    }

    private boolean isAsking() {
      return isUnderWay && attempt.isBegun();
    }

    private boolean isWinner() {
      synchronized (Race.this) {
        return winner == this;
      }
    }
  }
}
