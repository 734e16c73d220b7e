/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Wait;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.pool.LaneSchedule.Piece;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread pool that runs the work of many lanes in the order of {@link LaneSchedule}. The pool has
 * one thread for each piece of work that has begun and not ended. A thread that finds no work ends
 * after a while.
 *
 * <p>Work in this pool must not wait for other work of the pool, or the pool could fill with
 * waiting threads.
 */
public final class LanePool implements Lanes {
  public static final ConfigKey<Integer> THREADS =
      ConfigKey.count("threads.max")
          .defaultsTo("64")
          .alsoReads("fs.s3a.threads.max")
          .doc(
              "Maximum number of requests at once in a process's shared threads. Commits send up to"
                  + " 3 times as many (at most 3/4 of connections.max) if rate.policy=adaptive. The"
                  + " first opened bucket's value counts.");

  /**
   * With 64 threads and 40 ms a request, a commit sends 1,600 files a second, and S3 takes 3,500 in
   * each prefix; thrice as many suffice for one. Four times as many would take all connections.
   */
  private static final int TIMES_WHEN_WIDE = 3;

  private static final Duration IDLE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(LanePool.class);

  private final int places;
  private final LaneSchedule schedule; // guarded by its own monitor
  private final Map<String, List<Integer>> widths = new HashMap<>(); // guarded by the schedule
  private final ThreadPoolExecutor threads;

  /** Creates a pool with the size from the settings. */
  public LanePool(Settings settings) {
    this(settings.get(THREADS), IDLE);
  }

  /**
   * Creates a pool; threads are started when work needs them.
   *
   * @param places the number of pieces of work that run at once
   * @param idle the time after which a thread without work ends
   */
  public LanePool(int places, Duration idle) {
    this(places, idle, namedThreads());
  }

  LanePool(int places, Duration idle, ThreadFactory factory) {
    this.places = places;
    schedule = new LaneSchedule(places);
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            idle.toNanos(),
            TimeUnit.NANOSECONDS,
            new SynchronousQueue<>(),
            factory);
  }

  private static ThreadFactory namedThreads() {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, "penstock-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs work that belongs to no bucket. */
  @Override
  public void execute(Runnable work) {
    execute(Lane.OTHER, work);
  }

  /**
   * Runs the work on a thread of the pool when it is the lane's turn. Does not wait. If no thread
   * can be started while no other work runs, throws what prevented it, such as an OutOfMemoryError,
   * and the work is not run. The work must not throw.
   */
  public void execute(Lane lane, Runnable work) {
    synchronized (schedule) {
      Piece piece = schedule.add(lane, work);
      try {
        startAll();
      } catch (RuntimeException | Error e) { // such as an OutOfMemoryError for a new thread
        // If the schedule is busy, a running thread takes this work after its own.
        if (!schedule.isBusy() && schedule.withdraw(piece)) {
          throw e;
        }
      }
    }
  }

  @Override
  public Widened widen() {
    return widen(Lane.OTHER.bucket(), Integer.MAX_VALUE);
  }

  /**
   * Lets more work of a bucket run at once until the answer is ended; see {@link Lanes#widen}.
   *
   * @param most not more than this, or than without the call
   */
  public Widened widen(String bucket, int most) {
    Integer width = Math.min(TIMES_WHEN_WIDE * places, most);
    synchronized (schedule) {
      widths.computeIfAbsent(bucket, first -> new ArrayList<>()).add(width);
      changePlaces(bucket);
      startMore();
    }
    AtomicBoolean hasEnded = new AtomicBoolean();
    return () -> {
      synchronized (schedule) {
        if (hasEnded.compareAndSet(false, true)) { // Another one may have the same width.
          widths.get(bucket).remove(width);
          changePlaces(bucket);
        }
      }
    };
  }

  private void changePlaces(String bucket) {
    List<Integer> all = widths.get(bucket);
    schedule.places(bucket, all.stream().reduce(places, Math::max));
    if (all.isEmpty()) {
      widths.remove(bucket);
    }
  }

  /** Returns the number of pieces of work that have begun and not ended. */
  int begun() {
    synchronized (schedule) {
      return schedule.begun();
    }
  }

  /** Returns the current number of threads. */
  public int threadsNow() {
    return threads.getPoolSize();
  }

  /**
   * Starts all work that may start. The caller holds the lock: any caller that finds the schedule
   * busy can then rely on a running thread.
   */
  private void startAll() {
    for (Optional<Piece> next = next(); next.isPresent(); next = next()) {
      Piece piece = next.get();
      try {
        threads.execute(() -> run(piece));
      } catch (RuntimeException | Error e) {
        schedule.putBack(piece);
        throw e;
      }
    }
  }

  /** Wakes the waiting work that may continue, and returns the next piece that may start. */
  private Optional<Piece> next() {
    // Waiting work continues first: it may hold a permit, and it has a thread already.
    for (Optional<Runnable> one = schedule.goOn(); one.isPresent(); one = schedule.goOn()) {
      one.get().run();
    }
    return schedule.start();
  }

  private void run(Piece first) {
    Optional<Piece> mine = Optional.of(first);
    while (mine.isPresent()) {
      runOne(mine.get());
      synchronized (schedule) {
        mine = next();
        startMore(); // in case an earlier start found no memory for a thread
      }
    }
  }

  private void runOne(Piece piece) {
    boolean isDone = false;
    try {
      Caller.at((wait, pause) -> waiting(piece, wait, pause)).run(piece.work());
      isDone = true;
    } finally {
      Thread.interrupted(); // An interrupt was meant for the ended work only.
      synchronized (schedule) {
        schedule.ended(piece);
        if (!isDone) {
          startMore(); // This thread ends with the failure.
        }
      }
    }
  }

  /**
   * Starts all work that may start. If no thread can be created, the running threads start it
   * later.
   */
  private void startMore() {
    try {
      startAll();
    } catch (RuntimeException | Error e) {
      LOG.debug("no thread could be started for more work", e);
    }
  }

  private void waiting(Piece piece, Wait wait, Wait.Pause pause)
      throws IOException, InterruptedException {
    if (!leaves(piece, wait)) {
      pause.run();
      return;
    }
    try {
      pause.run();
    } finally {
      comesBack(piece);
    }
  }

  private boolean leaves(Piece piece, Wait wait) {
    synchronized (schedule) {
      if (!schedule.waits(piece, wait)) {
        return false;
      }
      startMore();
      return true;
    }
  }

  private void comesBack(Piece piece) {
    Semaphore place = new Semaphore(0);
    synchronized (schedule) {
      schedule.waited(piece, place::release);
      startMore();
    }
    place.acquireUninterruptibly();
  }
}
