/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.deadline;

import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks everything under way about every 10 ms. Adding and removing an entry is cheap, unlike a
 * timer for each request, hardly any of which would ever fire.
 *
 * <p>The watchdog's clock stops while the process is paused. Otherwise every request would look old
 * after a long garbage collection.
 */
public final class Watchdog {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

  /** The time between two checks: much shorter than any deadline or hedge delay that matters. */
  private static final Duration PERIOD = Duration.ofMillis(10);

  /** A tick that is later than this was delayed by something that also delayed the requests. */
  private static final long HELD_UP_NANOS = Duration.ofMillis(250).toNanos();

  /** The number of ticks with nothing to check before the thread rests. */
  private static final int TICKS_BEFORE_REST = 100;

  private final Time time;
  private final Set<Watched> all = ConcurrentHashMap.newKeySet();
  private final AtomicLong stoodStillNanos = new AtomicLong();
  private long lastTickNanos = -1;
  private volatile boolean resting;
  private Thread thread;

  /** Creates a watchdog without a thread of its own: the caller has to call {@link #tick}. */
  public Watchdog(Time time) {
    this.time = time;
  }

  /** Returns a watchdog with a thread that ticks, and that rests when nothing is under way. */
  public static Watchdog started(Time time) {
    Watchdog watch = new Watchdog(time);
    watch.start();
    return watch;
  }

  private void start() {
    thread = new Thread(this::run, "penstock-watch");
    thread.setDaemon(true);
    thread.setContextClassLoader(Watchdog.class.getClassLoader());
    thread.start();
  }

  /**
   * Returns the monotonic time, without the time for which the process was paused while something
   * was under way.
   */
  public long nowNanos() {
    return time.nowNanos() - stoodStillNanos.get();
  }

  /**
   * Begins to check an activity. May be called by any thread. An activity whose check throws is
   * logged and removed.
   */
  public void add(Watched watched) {
    all.add(watched);
    if (resting) {
      LockSupport.unpark(thread);
    }
  }

  /** Ends the checks of an activity. A check that has begun may still end afterwards. */
  public void remove(Watched watched) {
    all.remove(watched);
  }

  /**
   * Checks everything under way once. Called by one thread only.
   *
   * @param timeNanos the monotonic time of the {@code Time} that the watchdog was created with
   */
  public void tick(long timeNanos) {
    long late = lastTickNanos < 0 ? 0 : timeNanos - lastTickNanos - PERIOD.toNanos();
    lastTickNanos = all.isEmpty() ? -1 : timeNanos;
    if (late > HELD_UP_NANOS) {
      stoodStillNanos.addAndGet(late);
    }
    long nowNanos = timeNanos - stoodStillNanos.get();
    for (Watched watched : all) {
      look(watched, nowNanos);
    }
  }

  private void look(Watched watched, long nowNanos) {
    try {
      watched.look(nowNanos);
    } catch (RuntimeException | Error e) { // All the others still need their watch.
      remove(watched);
      LOG.warn("a running request is no longer watched for slowness", e);
    }
  }

  private void run() {
    int idleTicks = 0;
    while (true) {
      idleTicks = all.isEmpty() ? idleTicks + 1 : 0;
      if (idleTicks > TICKS_BEFORE_REST) {
        rest();
        idleTicks = 0;
      }
      tick(time.nowNanos());
      try {
        time.sleep(PERIOD);
      } catch (InterruptedException e) {
        LOG.debug("the watchdog was interrupted unexpectedly and goes on");
      }
    }
  }

  private void rest() {
    resting = true;
    while (all.isEmpty()) {
      LockSupport.park(this);
    }
    resting = false;
  }
}
