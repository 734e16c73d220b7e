/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Origin;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP try of one request. Another thread than the one that makes it may cut it. Only the store
 * knows how to cut an attempt. So the store registers a callback that cuts it ({@link #onCut}), and
 * reports the progress of the request. Safe for use by many threads.
 *
 * <p>Layers get the attempt as a part of the {@link Context}. Only a store asks for the attempt of
 * its thread, see {@link ThreadEnd}.
 */
public final class Attempt implements Caller.Cancellable {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
  private static final ThreadLocal<Attempt> CURRENT = new ThreadLocal<>();
  private static final AtomicLongFieldUpdater<Attempt> MOVES =
      AtomicLongFieldUpdater.newUpdater(Attempt.class, "moves");

  private final Optional<Attempt> slow;
  private volatile String reason;
  private volatile String address = "";
  private volatile String client = "";
  private volatile long moves; // changed through MOVES
  private volatile boolean begun;
  private volatile boolean whole;
  private volatile long received;
  private volatile boolean nothing;
  private volatile Operation operation;
  private volatile Origin origin = Origin.NONE;
  private volatile Range range;
  private volatile int part;
  private ThrottleAdvice advice = ThrottleAdvice.NONE;
  private Runnable means;

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

  /** Returns the attempt that this thread is making, for the store that sends it. */
  public static Optional<Attempt> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Binds an attempt to the calling thread.
   *
   * @param attempt null for none
   * @return the attempt that was bound before, or null
   */
  static Attempt bind(Attempt attempt) {
    Attempt outer = CURRENT.get();
    if (attempt == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(attempt);
    }
    return outer;
  }

  /**
   * Cuts the attempt because its work was cancelled, unless the request is completely sent: then
   * the store acts on it, and its answer is needed.
   */
  @Override
  public void cancelled() {
    if (!whole) {
      cut("the work that needed this request was cancelled");
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
      LOG.warn(
          "an attempt of a request could not be cut short; the attempt goes on until it ends by"
              + " itself",
          e);
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
   * Records that all waiting is over and the request is made now. The layer that watches its time
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
    MOVES.addAndGet(this, bytes);
  }

  /**
   * Returns the number of content bytes sent and received so far. A watchdog uses it to find
   * attempts whose content has stopped moving.
   */
  public long movedBytes() {
    return moves;
  }

  /** Records what the attempt does, and for whom; called before the store sends it. */
  void isFor(Operation what, Origin work) {
    operation = what;
    origin = work;
  }

  /** Returns what the attempt does; empty before it is sent. */
  public Optional<Operation> operation() {
    return Optional.ofNullable(operation);
  }

  /** Returns the work for which the attempt is made. */
  public Origin origin() {
    return origin;
  }

  /** Records the bytes of the object that the attempt asks for. The exchange calls this. */
  public void asksFor(Range bytes) {
    range = bytes;
  }

  /** Returns the bytes of the object that the attempt asks for; empty for anything but a GET. */
  public Optional<Range> range() {
    return Optional.ofNullable(range);
  }

  /** Records the number of the part that the attempt sends. The exchange calls this. */
  public void sendsPart(int number) {
    part = number;
  }

  /** Returns the number of the part that the attempt sends; empty for anything else. */
  public OptionalInt part() {
    return part == 0 ? OptionalInt.empty() : OptionalInt.of(part);
  }

  /** Records how many bytes of content the answer has. The exchange calls this. */
  public void received(long bytes) {
    received = bytes;
  }

  /** Returns how many bytes of content the answer has; 0 before the answer, or without content. */
  public long receivedBytes() {
    return received;
  }

  /** Records that a listing was answered and names nothing. The exchange calls this. */
  public void foundNothing() {
    nothing = true;
  }

  /** Returns true if the attempt is a listing that was answered and names nothing. */
  public boolean hasFoundNothing() {
    return nothing;
  }

  /** Records what rate control tells the retries, after a failure. */
  public void advise(ThrottleAdvice given) {
    advice = given;
  }

  /** Returns what rate control has told; for the thread that made the attempt. */
  public ThrottleAdvice advice() {
    return advice;
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

  /** Records the name of the library whose client sends the attempt. That client calls this. */
  public void isOf(String library) {
    client = library;
  }

  /** Returns the library whose client sends the attempt; empty for Penstock's own. */
  public String client() {
    return client;
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
