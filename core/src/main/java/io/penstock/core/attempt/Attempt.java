/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.attempt;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP try of one request, bound to the thread that makes it. Another thread may cut it short.
 * Only the store knows how, so it leaves the means here and reports progress. Safe for use by many
 * threads.
 *
 * <p>It travels with the thread, not through the port: every call of the port blocks on one thread
 * from start to end, and most stores and wrappers have no use for it.
 */
public final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
  private static final ThreadLocal<Attempt> CURRENT = new ThreadLocal<>();

  private final Optional<Attempt> slow;
  private volatile String reason;
  private volatile String address = "";
  private final AtomicLong moves = new AtomicLong();
  private volatile boolean begun;
  private volatile boolean whole;
  private Runnable means;

  /** Work of one attempt. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  public Attempt() {
    this(Optional.empty());
  }

  private Attempt(Optional<Attempt> slow) {
    this.slow = slow;
  }

  /** A second attempt beside a slow one; it goes to another address where the store has one. */
  public static Attempt beside(Attempt slow) {
    return new Attempt(Optional.of(slow));
  }

  /** The attempt that this thread is making, if a wrapper started one. */
  public static Optional<Attempt> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Runs the work as this attempt on the calling thread. It is cut when the thread's work is called
   * off before the request is wholly sent.
   */
  public <T> T run(Work<T> work) throws IOException {
    Attempt outer = CURRENT.get();
    CURRENT.set(this);
    Cancellation.Registration calledOff = Cancellation.onCancel(this::calledOff);
    try {
      return work.run();
    } finally {
      calledOff.end();
      onCut(null);
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  /** A request that is wholly sent is not cut: the store acts on it, and its answer is needed. */
  private void calledOff() {
    if (!whole) {
      cut("its work was called off");
    }
  }

  /**
   * Makes the attempt fail soon, on its own thread; the first call counts. What it fails with is
   * the store's matter; {@link #cutBecause()} tells why.
   *
   * @param why a clause for the user, such as {@code "no answer within 2.1 s"}
   */
  public void cut(String why) {
    Runnable run;
    synchronized (this) {
      if (reason != null) {
        return;
      }
      reason = why;
      run = means;
    }
    if (run != null) {
      end(run);
    }
  }

  /** Ends the attempt. Never fails: the caller has another answer, or others to cut. */
  private static void end(Runnable how) {
    try {
      how.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("an attempt could not be cut short, and ends by itself", e);
    }
  }

  /** Returns why it was cut; empty as long as it was not. */
  public Optional<String> cutBecause() {
    return Optional.ofNullable(reason);
  }

  /**
   * The store says here how to make the call under way fail. It runs at once when the attempt was
   * cut before. It must not block. Null when there is nothing to cut any more.
   */
  public void onCut(Runnable how) {
    boolean late;
    synchronized (this) {
      means = how;
      late = reason != null;
    }
    if (late && how != null) {
      end(how);
    }
  }

  /** The wrapper next to the store calls this: all waiting is over, the request is made now. */
  public void begins() {
    begun = true;
  }

  /** Returns true if it has come as far as the store. */
  public boolean isBegun() {
    return begun;
  }

  /** The store calls this: bytes of content were sent or received. */
  public void moved(int bytes) {
    moves.addAndGet(bytes);
  }

  /**
   * Bytes of content that have moved so far, both ways: a watchdog sees by it what stands still.
   */
  public long movedBytes() {
    return moves.get();
  }

  /** The store calls this: the whole request is sent, and the answer is awaited. */
  public void sent() {
    whole = true;
  }

  public boolean isSent() {
    return whole;
  }

  /** The store calls this with the network address that was chosen. */
  public void goesTo(String chosen) {
    address = chosen;
  }

  /** The network address it goes to; empty when the store has not told. */
  public String address() {
    return address;
  }

  /** The address to avoid where there is another one. */
  public Optional<String> avoided() {
    return slow.map(Attempt::address).filter(text -> !text.isEmpty());
  }

  /** Returns true if it runs beside a slow one. */
  public boolean isBeside() {
    return slow.isPresent();
  }
}
