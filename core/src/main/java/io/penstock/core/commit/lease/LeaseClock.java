/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.lease;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.store.Body;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.time.Time;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Knows for how long no other process can take this job for dead. Both clocks are read: one stops
 * while the machine sleeps, and the other may be set. Safe for use by many threads.
 */
public final class LeaseClock {
  /**
   * The age of a lease up to which the job may put a file. The other half of the lease is the time
   * in which the PUT takes effect if the process dies right after it was sent.
   */
  public static final Duration FRESH = Leases.DURATION.dividedBy(2);

  private static final Duration POLL = Duration.ofSeconds(1);

  private final Time time;
  private volatile Moment renewed;
  private volatile boolean isClosed;
  private volatile boolean isDecided;
  private volatile boolean hasLapsed;

  public LeaseClock(Time time) {
    this.time = time;
    this.renewed = now();
  }

  /** A time by both clocks. */
  public record Moment(long nanos, Instant instant) {}

  public Moment now() {
    return new Moment(time.nowNanos(), time.now());
  }

  /**
   * Records that the lease, or the intent itself, was written.
   *
   * @param before a time before its request was sent
   */
  public void renewed(Moment before) {
    noteLapse();
    renewed = before;
  }

  /** Records that the intent itself is put anew, under a name that nobody has taken for dead. */
  public void restarted(Moment before) {
    renewed = before;
    hasLapsed = false;
  }

  /**
   * Returns true if there was a time without a lease. Another process may have taken the job for
   * dead then, and may be about to end its commit.
   */
  public boolean hasLapsed() {
    noteLapse();
    return hasLapsed;
  }

  /** Never writes false: a thread that stops half-way here must not undo what another has noted. */
  private void noteLapse() {
    if (!isWithin(renewed, Leases.DURATION)) {
      hasLapsed = true;
    }
  }

  /**
   * Waits until the lease is so recent that a request may be sent which no other process expects of
   * a dead job.
   *
   * @throws StaleException if the lease has lapsed
   */
  public void awaitRecent() throws IOException {
    try {
      while (!isRecent() || hasLapsed()) {
        refuseIfLapsed();
        Cancellation.sleep(time, POLL, this::isRecent);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a commit's lease was being renewed");
    }
  }

  /**
   * Checks that no other process can have taken this one for dead.
   *
   * @throws StaleException if one can
   */
  public void refuseIfLapsed() throws StaleException {
    if (hasLapsed()) {
      throw new StaleException(
          "no lease of this commit could be written for %d s, so another process may have completed or undone the commit"
              .formatted(Leases.DURATION.toSeconds()));
    }
  }

  /**
   * Ends the time in which files may be put: all have been put, or the commit is undone, by this
   * process or another one. An attempt that is still on its way sends nothing more.
   */
  public void close() {
    isClosed = true;
  }

  public boolean isClosed() {
    return isClosed;
  }

  /** Records that this process or another one has decided how the commit ends. */
  public void decided() {
    isDecided = true;
    close();
  }

  public boolean isDecided() {
    return isDecided;
  }

  /** Returns true if the lease was written so recently that it need not be written again now. */
  public boolean isRecent() {
    return isWithin(renewed, FRESH);
  }

  public boolean isFresh() {
    return !isClosed && isRecent();
  }

  /** Returns true if less than the duration has passed since then by both clocks. */
  public boolean isWithin(Moment then, Duration duration) {
    Duration ticked = Duration.ofNanos(time.nowNanos() - then.nanos());
    Duration passed = Duration.between(then.instant(), time.now());
    return ticked.compareTo(duration) < 0 && passed.compareTo(duration) < 0;
  }

  /** Tells that a file was not put because another process may have ended the commit. */
  public static final class StaleException extends IOException {
    private static final long serialVersionUID = 1L;

    private StaleException(String message) {
      super(message);
    }

    public static boolean isCauseOf(Throwable failure) {
      for (Throwable e = failure; e != null; e = e.getCause()) {
        if (e instanceof StaleException) {
          return true;
        }
      }
      return false;
    }
  }

  private void refuseUnlessFresh() throws StaleException {
    if (isClosed) {
      throw new StaleException(
          "this commit writes no more files: its outcome is decided, or all its files have been"
              + " written");
    }
    if (!isFresh()) {
      throw new StaleException(
          "no lease of this commit could be written for %d s, so another process may undo the commit"
              .formatted(FRESH.toSeconds()));
    }
  }

  /**
   * Returns a body that can be sent only while the lease is fresh. So a process that has stopped
   * for minutes does not send it, or the rest of it, when it wakes up.
   */
  public Body guarded(Body body) {
    return guarded(body, this::refuseUnlessFresh);
  }

  /** Returns a body that can be sent only while the lease is recent, also after the decision. */
  public Body guardedToTheEnd(Body body) {
    return guarded(
        body,
        () -> {
          refuseIfLapsed();
          if (!isRecent()) {
            throw new StaleException("the lease of this commit was not renewed recently");
          }
        });
  }

  /** A check before some bytes are sent. */
  @FunctionalInterface
  private interface Guard {
    void check() throws IOException;
  }

  private static Body guarded(Body body, Guard guard) {
    return new Body() {
      @Override
      public long sizeBytes() {
        return body.sizeBytes();
      }

      @Override
      public UserMetadata user() {
        return body.user();
      }

      @Override
      public InputStream open() throws IOException {
        guard.check();
        return new GuardedStream(body.open(), guard);
      }
    };
  }

  private static final class GuardedStream extends FilterInputStream {
    private final Guard guard;

    GuardedStream(InputStream in, Guard guard) {
      super(in);
      this.guard = guard;
    }

    @Override
    public int read() throws IOException {
      guard.check();
      return in.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      guard.check();
      return in.read(into, offset, length);
    }
  }
}
