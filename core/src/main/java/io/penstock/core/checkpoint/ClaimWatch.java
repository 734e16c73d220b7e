/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.pool.Parallel;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Notices that a later run has claimed the checkpoint. A conditional write alone does not: a driver
 * that slept long enough finds the files of its next batches not yet written or, when the later run
 * has purged them, no more there.
 *
 * <p>A run looks before it plans a batch. The look is made while it commits the one before, so that
 * it takes no time; it holds for {@link #HOLDS}, in which no run can start, overtake this one and
 * purge what it wrote. After a pause the run looks again, also behind the write.
 */
public final class ClaimWatch {
  private static final Duration HOLDS = Duration.ofSeconds(1);

  private final Claims claims;
  private final Writer own;
  private final Executor pool;
  private final Time time;

  // Guarded by this.
  private Look last;

  /** A look at the claims, under way or done, and when it was begun by both clocks. */
  private record Look(CompletableFuture<Optional<Writer>> later, long nanos, Instant instant) {}

  /** A run that is not the last one any more. */
  public static final class OvertakenException extends IOException {
    private static final long serialVersionUID = 1L;

    OvertakenException(Writer own, Writer later) {
      super(
          "%s has claimed this checkpoint after %s. This run must stop: its query goes on there."
              .formatted(later, own));
    }
  }

  /**
   * @param own with the epoch that it has claimed
   * @param pool for looks that nobody waits for
   */
  public ClaimWatch(Claims claims, Writer own, Executor pool, Time time) {
    this.claims = claims;
    this.own = own;
    this.pool = pool;
    this.time = time;
  }

  public Writer own() {
    return own;
  }

  /** Begins a look; a failure of it shows when its result is asked for. */
  public synchronized void lookAhead() {
    last = new Look(Parallel.start(pool, () -> claims.after(own)), time.nowNanos(), time.now());
  }

  /**
   * To be called before a batch is planned.
   *
   * @throws OvertakenException when a later run has claimed the checkpoint
   */
  public synchronized void requireNewest() throws IOException {
    if (last == null || !holds(last)) {
      lookNow();
    }
    require(await(last.later()));
  }

  /**
   * To be called when the batch is planned: after a pause anything may have happened since the
   * look.
   *
   * @throws OvertakenException when a later run has claimed the checkpoint
   */
  public synchronized void requireStillNewest() throws IOException {
    if (last == null || !holds(last)) {
      lookNow();
      require(await(last.later()));
    }
  }

  private void lookNow() {
    last =
        new Look(
            Parallel.start(Runnable::run, () -> claims.after(own)), time.nowNanos(), time.now());
  }

  /** By both clocks: one may stand still while the machine does, the other may be set back. */
  private boolean holds(Look look) {
    Duration byNanos = Duration.ofNanos(time.nowNanos() - look.nanos());
    Duration byInstant = Duration.between(look.instant(), time.now()).abs();
    return byNanos.compareTo(HOLDS) < 0 && byInstant.compareTo(HOLDS) < 0;
  }

  private void require(Optional<Writer> later) throws OvertakenException {
    if (later.isPresent()) {
      throw new OvertakenException(own, later.get());
    }
  }

  private static Optional<Writer> await(CompletableFuture<Optional<Writer>> look)
      throws IOException {
    try {
      return look.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while looking at the claims of a checkpoint");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }
}
