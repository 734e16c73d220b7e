/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import io.penstock.core.caller.Caller;
import io.penstock.core.deadline.Watchdog;
import io.penstock.core.interleaving.Choices;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One order of a race. Each attempt has a thread, of which one runs at a time, from one of its
 * gates to the next: before it begins, before it waits for a permit, and before it is answered. At
 * a gate the choices say who goes on and what the store answers. The first attempt may also wait
 * inside of the race until another one ends.
 */
final class RaceSchedule {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "racer");
            thread.setDaemon(true);
            return thread;
          });

  /** The ways in which an attempt goes on from its gate. */
  private enum Fate {
    ANSWERED,
    LOST,
    THROTTLED,
    REFUSED,
    FAULTY
  }

  private static final Fate[] FATES = Fate.values();

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final Watchdog watch = new Watchdog(time);
  private final HedgeMetrics metrics = new HedgeMetrics();
  private final List<Racer> racers = new ArrayList<>();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Choices choices;
  private final int hedgesMax;
  private final HedgeDecider decider;
  private Race<Integer> race;

  // What the race did.
  private volatile Integer answer;
  private volatile Throwable thrown;

  /** One thread of the race. */
  private static final class Racer {
    final int number;
    final Semaphore turn = new Semaphore(0);
    volatile Thread thread;
    volatile boolean isAtGate;
    volatile boolean isOver;
    volatile boolean isSending;
    final AtomicInteger passes = new AtomicInteger();
    int turns;
    volatile Attempt attempt;
    Fate fate;

    Racer(int number) {
      this.number = number;
    }

    /** Waits until it is its turn. */
    void gate() {
      isAtGate = true;
      turn.acquireUninterruptibly();
      passes.incrementAndGet();
    }

    void goOn() {
      isAtGate = false;
      turns++;
      turn.release();
    }

    boolean isStill() {
      return isOver || isAtGate || (thread != null && isInsideOfTheRace());
    }

    /** Returns true if it waits for another attempt, and not for its turn. */
    private boolean isInsideOfTheRace() {
      return number == 0 && passes.get() == turns && thread.getState() == Thread.State.WAITING;
    }
  }

  RaceSchedule(Choices choices, int hedgesMax) {
    this.choices = choices;
    this.hedgesMax = hedgesMax;
    HedgeConfig config = new HedgeConfig(true, 0.98, 0.02, Duration.ofMillis(50));
    this.decider = new HedgeDecider(config, new LatencyModel(0.98));
  }

  List<String> log() {
    return log;
  }

  private Racer start(Runnable work) {
    Racer racer = new Racer(racers.size());
    racers.add(racer);
    THREADS.execute(
        () -> {
          racer.thread = Thread.currentThread();
          racer.gate();
          try {
            work.run();
          } finally {
            racer.isOver = true;
          }
        });
    return racer;
  }

  private Racer self() {
    return racers.stream()
        .filter(racer -> racer.thread == Thread.currentThread() && !racer.isOver)
        .findFirst()
        .orElseThrow();
  }

  /** Sends an attempt: a hedge waits for a permit before it begins. */
  private final class Store implements Layer {
    private final boolean isBeside;

    Store(boolean isBeside) {
      this.isBeside = isBeside;
    }

    @Override
    public <T> T send(Request<T> request, Context context, Exchange<T> exchange)
        throws IOException {
      Racer self = self();
      Attempt attempt = context.attempt();
      self.attempt = attempt;
      if (isBeside) {
        self.gate();
        if (self.fate == Fate.THROTTLED || attempt.cutBecause().isPresent()) {
          throw failed(Kind.THROTTLED);
        }
      }
      attempt.begins();
      attempt.sent();
      self.isSending = true;
      self.gate();
      return switch (self.fate) {
        case ANSWERED -> exchange.send(context);
        case LOST -> throw failed(Kind.CONNECTION_LOST);
        case THROTTLED -> throw failed(Kind.THROTTLED);
        case REFUSED -> throw failed(Kind.NO_SUCH_KEY);
        case FAULTY -> throw new IllegalStateException("a fault");
      };
    }
  }

  private static StoreException failed(Kind kind) {
    return StoreException.of(kind, Operation.GET, "s3://lake/a", "scripted.");
  }

  void run() {
    Race.Track track =
        new Race.Track(
            new Store(false), new Store(true), decider, watch, this::startHedge, metrics);
    Request<Integer> request = Request.of(Operation.GET, "lake", "a");
    long delayNanos = decider.begin(Operation.GET, 0);
    race = new Race<>(track, delayNanos, request, own -> own.number());
    start(this::runRace);
    settle();
    boolean isFirst = true;
    int looks = 0;
    while (true) {
      List<Racer> ready = racers.stream().filter(racer -> racer.isAtGate).toList();
      boolean mayLook = !racers.get(0).isOver && !isFirst && looks < hedgesMax;
      if (ready.isEmpty() && !mayLook) {
        break;
      }
      int chosen = choices.among(ready.size() + (mayLook ? 1 : 0));
      if (chosen == ready.size()) {
        look();
        looks++;
      } else {
        step(ready.get(chosen));
      }
      isFirst = false;
    }
    check();
  }

  private void runRace() {
    try {
      answer = race.run(Context.of(Caller.NOBODY));
    } catch (IOException | RuntimeException e) {
      thrown = e;
    }
  }

  private void startHedge(Runnable hedge) {
    start(hedge);
  }

  /** The time goes on until another attempt is due. */
  private void look() {
    log.add("the watchdog looks");
    int before = racers.size();
    // A longer pause between two ticks would be one of the process.
    for (int tick = 0; tick < 10 && racers.size() == before; tick++) {
      time.advance(Duration.ofMillis(200));
      watch.tick(time.nowNanos());
    }
    settle();
  }

  private void step(Racer racer) {
    if (racer.isSending) {
      racer.fate = FATES[choices.among(FATES.length)];
    } else if (racer.attempt != null) { // It waits for its permit.
      racer.fate = choices.among(2) == 0 ? Fate.ANSWERED : Fate.THROTTLED;
    }
    String what = racer.attempt == null ? "starts" : racer.isSending ? "" : "has waited";
    log.add("attempt %d %s %s".formatted(racer.number, what, racer.fate));
    racer.goOn();
    settle();
  }

  /** Waits until each thread is at a gate, is over, or waits inside of the race. */
  private void settle() {
    // The first one last: another one may have woken it before it became still itself.
    for (int i = racers.size() - 1; i >= 0; i--) {
      while (!racers.get(i).isStill()) {
        Thread.onSpinWait();
      }
    }
  }

  private void check() {
    Racer first = racers.get(0);
    require("the race ends", first.isOver);
    require("one outcome", (answer == null) != (thrown == null));
    List<Racer> sent = racers.stream().filter(racer -> racer.isSending).toList();
    if (answer != null) {
      Fate own = racers.get(answer).fate;
      require("the answer was given", racers.get(answer).isSending && own == Fate.ANSWERED);
    } else {
      checkFailure(first);
    }
    List<Racer> hedges = racers.subList(1, racers.size());
    require(
        "whoever is late is cut",
        hedges.stream().allMatch(hedge -> hedge.attempt == null || isCut(hedge)));
    HedgeMetrics.Count count = metrics.count();
    long begun = sent.stream().filter(racer -> racer.number > 0).count();
    require("each hedge that was sent counts once: " + count, count.won() + count.lost() == begun);
    require("the winner counts", count.won() == (answer != null && answer > 0 ? 1 : 0));
    checkBudget((int) begun);
  }

  private static boolean isCut(Racer racer) {
    return racer.attempt.cutBecause().isPresent();
  }

  /** An answer is kept, and a failure does not hide that the store may have acted. */
  private void checkFailure(Racer first) {
    if (first.fate == Fate.FAULTY) {
      boolean isTold =
          thrown instanceof IllegalStateException
              || Stream.of(thrown.getSuppressed())
                  .anyMatch(IllegalStateException.class::isInstance);
      require("a fault is told", isTold);
      return;
    }
    require("a known failure: " + thrown, thrown instanceof StoreException);
    StoreException failure = (StoreException) thrown;
    require("the first one has failed", first.fate != Fate.ANSWERED);
    boolean isFinal = failure.kind().retry() == Retry.NEVER;
    boolean wasRefused =
        racers.stream().anyMatch(racer -> racer.isSending && racer.fate == Fate.REFUSED);
    require("a final failure was given", !isFinal || wasRefused);
    boolean mayHaveActed =
        racers.stream().anyMatch(racer -> racer.isSending && racer.fate == Fate.LOST);
    if (!isFinal && mayHaveActed) {
      require("it says that the store may have acted", failure.kind() == Kind.CONNECTION_LOST);
    }
  }

  /** The tokens of hedges that were not sent are given back, so that all others are there. */
  private void checkBudget(int begun) {
    int tokens = 0;
    while (decider.next(0, Long.MAX_VALUE, 0) == HedgeDecider.Answer.START) {
      tokens++;
    }
    require("%d tokens left after %d hedges".formatted(tokens, begun), tokens == 10 - begun);
  }

  private static void require(String what, boolean isTrue) {
    if (!isTrue) {
      throw new AssertionError(what);
    }
  }
}
