/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.attempt;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP try of one request, bound to the thread that makes it. Another thread may cut it. Only
 * the store knows how to cut an attempt. So the store registers a callback that cuts it ({@link
 * #onCut}), and reports the progress of the request. Safe for use by many threads.
 *
 * <p>The attempt is bound to the thread and is not a parameter of the store's methods. Every call
 * of the store runs on one thread from start to end, and most stores and wrappers do not need the
 * attempt.
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

  /**
   * Returns a second attempt, which runs beside a slow one. It goes to another address if the store
   * has one.
   */
  public static Attempt beside(Attempt slow) {
    return new Attempt(Optional.of(slow));
  }

  /** Returns the attempt that this thread is making, if a wrapper has started one. */
  public static Optional<Attempt> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Runs the work as this attempt on the calling thread. The attempt is cut if the thread's work is
   * cancelled before the request is completely sent. Called once for each attempt.
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

  /**
   * Cuts the attempt, unless the request is completely sent: then the store acts on it, and its
   * answer is needed.
   */
  private void calledOff() {
    if (!whole) {
      cut("its work was called off");
    }
  }

  /**
   * Makes the attempt fail soon, on its own thread. Only the first call counts. The store chooses
   * the exception; {@link #cutBecause()} returns the reason.
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

  /** Ends the attempt. Never fails: the caller has another answer, or other attempts to cut. */
  private static void end(Runnable how) {
    try {
      how.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("an attempt could not be cut short, and ends by itself", e);
    }
  }

  /** Returns the reason why the attempt was cut; empty if it was not cut. */
  public Optional<String> cutBecause() {
    return Optional.ofNullable(reason);
  }

  /**
   * Sets the step that makes the current call fail; the store calls this. The step runs at once if
   * the attempt was already cut. It must not block. Null means that there is nothing to cut any
   * more.
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

  /**
   * Records that all waiting is over and the request is made now. The wrapper next to the store
   * calls this.
   */
  public void begins() {
    begun = true;
  }

  /**
   * Returns true once all waiting is over and the request has been handed on to the store; see
   * {@link #begins}.
   */
  public boolean isBegun() {
    return begun;
  }

  /**
   * Records that bytes of content were sent or received. The store calls this.
   *
   * @param bytes moved since the last call
   */
  public void moved(int bytes) {
    moves.addAndGet(bytes);
  }

  /**
   * Returns the number of content bytes sent and received so far. A watchdog uses it to find
   * attempts whose content has stopped moving.
   */
  public long movedBytes() {
    return moves.get();
  }

  /** Records that the whole request is sent and the answer is awaited. The store calls this. */
  public void sent() {
    whole = true;
  }

  public boolean isSent() {
    return whole;
  }

  /**
   * Records the network address that was chosen. The store calls this.
   *
   * @param chosen the IP address as text
   */
  public void goesTo(String chosen) {
    address = chosen;
  }

  /** Returns the attempt's network address; empty if the store has not reported it. */
  public String address() {
    return address;
  }

  /** Returns the address of the slow attempt, which this one avoids if there is another address. */
  public Optional<String> avoided() {
    return slow.map(Attempt::address).filter(text -> !text.isEmpty());
  }

  /** Returns true if this attempt runs beside a slow one. */
  public boolean isBeside() {
    return slow.isPresent();
  }
}
