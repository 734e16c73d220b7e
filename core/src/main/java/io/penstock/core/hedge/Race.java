/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.deadline.Watchdog;
import io.penstock.core.deadline.Watched;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.BodyGate;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.request.Resolution.Look;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Retry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/**
 * Runs the attempts of one request. The first attempt runs on the caller's thread; hedges are added
 * when it is slow. The race ends with the first answer, or with a failure that every attempt would
 * meet. After any other failure, whatever its type, the race continues with the attempts that are
 * still under way. An answer is always kept, even if another attempt fails.
 */
final class Race<T> implements Watched {
  private static final String OUTRUN = "another attempt of this request was faster";

  /** The objects that all races of a chain share. */
  record Track(
      Layer first,
      Layer beside,
      HedgeDecider decider,
      Watchdog watch,
      Executor pool,
      HedgeMetrics metrics) {}

  private final Track track;
  private final Request<T> request;
  private final Exchange<T> exchange;
  private final long delayNanos;
  private final long startNanos;
  private Context firsts; // set before the watchdog knows this

  // Guarded by this.
  private List<Hedge> hedges = List.of(); // most races have none, and few failures
  private List<Throwable> failures = List.of();
  private Hedge winner;
  private T answer;
  private StoreException end;
  private boolean denied;
  private boolean over;

  Race(Track track, long delayNanos, Request<T> request, Exchange<T> exchange) {
    this.track = track;
    this.delayNanos = delayNanos;
    this.request = request;
    this.exchange = exchange;
    this.startNanos = track.watch().nowNanos();
  }

  /**
   * @param context of the first attempt, which is made on the calling thread
   */
  T run(Context context) throws IOException {
    firsts = context;
    track.watch().add(this);
    try {
      return firstAnswered(attempted(track.first(), context));
    } catch (IOException | RuntimeException | Error e) {
      return firstFailed(e);
    } finally {
      track.watch().remove(this);
      finish();
    }
  }

  /** Makes one attempt. While there are others, the request's resolution tells what came out. */
  private T attempted(Layer layer, Context context) throws IOException {
    T answer;
    try {
      answer = layer.send(request, context, exchange);
    } catch (StoreException e) {
      if (isOfOne()) {
        throw e;
      }
      return request.resolution().refusedBesideAnother(e, look(layer, context));
    }
    return isOfOne()
        ? answer
        : request.resolution().answeredBesideAnother(answer, look(layer, context));
  }

  private static Look look(Layer layer, Context context) {
    return new Look() {
      @Override
      public <R> R send(Request<R> other, Exchange<R> its) throws IOException {
        return layer.send(other, context, its);
      }
    };
  }

  private synchronized T firstAnswered(T own) {
    if (answer == null) {
      answer = own;
    }
    return answer;
  }

  private synchronized T firstFailed(Throwable failure) throws IOException {
    if (answer == null && !isFinal(failure) && !isInterrupt(failure)) {
      firsts.caller().check();
      // Hedges that still wait for a permit are dropped: the retry of the first attempt backs off,
      // they would not.
      hedges.stream().filter(hedge -> !hedge.attempt.isBegun()).forEach(Hedge::giveUpWaiting);
      awaitHedges(failure);
    }
    if (answer != null) {
      return answer;
    }
    // A final failure of a hedge ends all attempts. This attempt's own failure then mostly shows
    // that
    // it was cut; a fault of the program is told, too.
    Throwable telling = end != null ? end : mostTelling(failure);
    Throwable thrown = telling == failure ? failure : rethrown(telling);
    failures.stream().filter(other -> other != telling).forEach(thrown::addSuppressed);
    boolean isOfTheCut = end != null && failure instanceof IOException;
    if (telling != failure && !isOfTheCut) {
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
    hedges = with(hedges, hedge);
    try {
      track.pool().execute(hedge);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no new thread
      hedges = hedges.stream().filter(other -> other != hedge).toList();
      track.decider().giveBack();
      deny();
    }
  }

  private static <E> List<E> with(List<E> some, E one) {
    return Stream.concat(some.stream(), Stream.of(one)).toList();
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
      all = hedges;
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
    return (winner != null && firsts.attempt().isSent())
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
    final Attempt attempt = Attempt.beside(firsts.attempt());
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
        won(attempted(track.beside(), firsts.beside(attempt, number, gate)));
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
      firsts.attempt().cut(OUTRUN);
    }

    private void failed(Throwable failure) {
      boolean ends;
      synchronized (Race.this) {
        isUnderWay = false;
        Race.this.notifyAll(); // It waits for this monitor, whatever comes in between.
        failures = with(failures, failure);
        ends = !over && answer == null && isFinal(failure);
        if (ends) {
          end = (StoreException) failure;
        }
      }
      if (ends) {
        firsts.attempt().cut(OUTRUN);
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
      attempt.cut("the first attempt failed and will be repeated");
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
