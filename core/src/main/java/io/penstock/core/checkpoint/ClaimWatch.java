/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Detects that a later run has claimed the checkpoint and is ahead of this run. A conditional write
 * alone cannot detect this: while a driver was paused, the later run may have purged the files of
 * the driver's batches, and the driver would then write them again.
 *
 * <p>A run checks for later claims before it writes a file of a log, and again after the write if
 * it was paused in between. A check that finds no later claim stays valid for one second, by both
 * clocks. In this time, no run can start, overtake this one and purge its files. So batches that
 * follow each other faster do not need a check each. Once there is a later claim, every file needs
 * a check. {@link #requireNotOvertaken} does not fail for a later claim alone: otherwise two
 * drivers that are restarted again and again would stop each other forever. {@link #look} does,
 * because its caller has already missed a file. Both fail if the run's own claim is gone and
 * another is there: then the checkpoint was deleted and begun anew, whatever the epochs are.
 */
public final class ClaimWatch {
  private static final Duration HOLDS = Duration.ofSeconds(1);

  /** Spark keeps so many batches by default, and no run writes as many within a second. */
  private static final int WRITTEN_KEPT = 100;

  private final Claims claims;
  private final Writer own;
  private final Time time;

  // The start of the last check that found no later claim, by both clocks. Guarded by this.
  private Optional<Instant> lookedAt = Optional.empty();
  private long lookedNanos;

  // The batches that this run has written last, by log. Guarded by this.
  private final Map<String, NavigableSet<Long>> written = new HashMap<>();

  /** Tells whether another run is ahead of the file in question. */
  @FunctionalInterface
  public interface Position {
    boolean isBehind() throws IOException;
  }

  /** Thrown when a later run has overtaken this run. */
  public static final class OvertakenException extends IOException {
    private static final long serialVersionUID = 1L;

    OvertakenException(Writer own, Writer later) {
      super(
          "Another run, %s, claimed this checkpoint after this run, %s. This run must stop; the query continues in the other run."
              .formatted(later, own));
    }
  }

  /**
   * @param own writer with the epoch that it has claimed
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
   * Checks for a later claim, unless the last check is still valid. Callers call this before and
   * after they write a file of a log.
   *
   * @param position asked only if there is a later claim
   * @throws OvertakenException when a later run has claimed the checkpoint and is ahead of this run
   * @throws IOException when the claims or the log cannot be read
   */
  public synchronized void requireNotOvertaken(Position position) throws IOException {
    if (holds()) {
      return;
    }
    Instant now = time.now();
    long nanos = time.nowNanos();
    requireInPlace();
    Optional<Writer> later = claims.after(own);
    if (later.isEmpty()) {
      lookedAt = Optional.of(now);
      lookedNanos = nanos;
    } else if (position.isBehind()) {
      throw new OvertakenException(own, claims.newest().orElse(later.get()));
    }
  }

  /**
   * Checks for a later claim even if the last check is still valid. Callers call this when a
   * checkpoint file is missing that should exist: a later run may have deleted it.
   *
   * @throws OvertakenException when a later run has claimed the checkpoint
   * @throws IOException when the claims cannot be read
   */
  public void look() throws IOException {
    requireInPlace();
    Optional<Writer> later = claims.after(own);
    if (later.isPresent()) {
      throw new OvertakenException(own, claims.newest().orElse(later.get()));
    }
  }

  private void requireInPlace() throws IOException {
    Optional<Writer> other = claims.inPlaceOf(own);
    if (other.isPresent()) {
      throw new OvertakenException(own, other.get());
    }
  }

  /** Notes that this run has written the file of a batch. */
  public synchronized void wrote(String log, long batch) {
    NavigableSet<Long> batches = written.computeIfAbsent(log, first -> new TreeSet<>());
    batches.add(batch);
    if (batches.size() > WRITTEN_KEPT) {
      batches.pollFirst();
    }
  }

  /** Returns the batches that this run has written last to a log. */
  public synchronized List<Long> written(String log) {
    return List.copyOf(written.getOrDefault(log, new TreeSet<>()));
  }

  /**
   * Returns true if the last check is still valid. Reads both clocks: one may stop while the
   * machine is paused, and the other may be set back.
   */
  private boolean holds() {
    if (lookedAt.isEmpty()) {
      return false;
    }
    Duration byNanos = Duration.ofNanos(time.nowNanos() - lookedNanos);
    Duration byInstant = Duration.between(lookedAt.get(), time.now()).abs();
    return byNanos.compareTo(HOLDS) < 0 && byInstant.compareTo(HOLDS) < 0;
  }
}
