/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Notices that a later run has claimed the checkpoint and gone further. A conditional write alone
 * does not: a driver that slept long enough finds the files of its batches no more there when the
 * later run has purged them, and would write them once more.
 *
 * <p>A run looks before it writes a file of a log, and behind the write if it paused in between. A
 * look that finds no later claim holds for {@link #HOLDS}, in which no run can start, overtake this
 * one and purge what it wrote; so batches that follow each other faster cost no look each. Once
 * there is a later claim, every file costs a look. A claim alone stops nobody: two drivers that are
 * started again and again would stop each other for ever.
 */
public final class ClaimWatch {
  private static final Duration HOLDS = Duration.ofSeconds(1);

  private final Claims claims;
  private final Writer own;
  private final Time time;

  // When the last look that was well was begun, by both clocks. Guarded by this.
  private Optional<Instant> lookedAt = Optional.empty();
  private long lookedNanos;

  /** Tells whether another run has gone further than the file in question. */
  @FunctionalInterface
  public interface Position {
    boolean isBehind() throws IOException;
  }

  /** A run behind which a later one has gone on. */
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
   */
  public ClaimWatch(Claims claims, Writer own, Time time) {
    this.claims = claims;
    this.own = own;
    this.time = time;
  }

  /** Returns the writer that has claimed. */
  Writer own() {
    return own;
  }

  /**
   * Looks, unless it has just done so. To be called before a file of a log is written, and behind.
   *
   * @param position asked only when there is a later claim
   * @throws OvertakenException when a later run has claimed the checkpoint and gone further
   */
  public synchronized void requireNotOvertaken(Position position) throws IOException {
    if (holds()) {
      return;
    }
    Instant now = time.now();
    long nanos = time.nowNanos();
    Optional<Writer> later = claims.after(own);
    if (later.isEmpty()) {
      lookedAt = Optional.of(now);
      lookedNanos = nanos;
    } else if (position.isBehind()) {
      throw new OvertakenException(own, claims.newest().orElse(later.get()));
    }
  }

  /**
   * Looks in any case, where something is missing.
   *
   * @throws OvertakenException when a later run has claimed the checkpoint
   */
  public void look() throws IOException {
    Optional<Writer> later = claims.after(own);
    if (later.isPresent()) {
      throw new OvertakenException(own, claims.newest().orElse(later.get()));
    }
  }

  /** Asks both clocks: one may stand still while the machine does, the other may be set back. */
  private boolean holds() {
    if (lookedAt.isEmpty()) {
      return false;
    }
    Duration byNanos = Duration.ofNanos(time.nowNanos() - lookedNanos);
    Duration byInstant = Duration.between(lookedAt.get(), time.now()).abs();
    return byNanos.compareTo(HOLDS) < 0 && byInstant.compareTo(HOLDS) < 0;
  }
}
