/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.caller.Wait;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides the order in which the work of many lanes runs. The pieces of one lane start in the order
 * in which they were added, and the lanes take turns. A piece of work has a place while it runs,
 * and none while it waits. Each lane has some places of its own, and the lanes share the other
 * places; a lane that is the only one can use all of them. A bucket may be allowed more places for
 * a while; the lanes of other buckets use none of these. A plain object without threads. Not safe
 * for use by many threads.
 *
 * <p>At most {@code 4 * places + 16 * lanes} pieces have begun and not ended. Pieces with a place
 * are at most all places plus 8 for each lane. Waiting pieces are at most three times the places
 * plus 8 for each lane.
 */
final class LaneSchedule {
  /**
   * The divisor for a lane's own places: each lane has an eighth of all places for itself. Lanes
   * need own places because the requests to a store that hangs hold all shared places and wait for
   * no permit. A few requests of one lane take no place from another lane.
   */
  private static final int OWN_SHARE = 8;

  private static final int OWN_MAX = 8;

  /** The number of pieces of a lane that may always wait without a place. */
  private static final int WAITING_IN_LANE = 8;

  /** The limit for all pieces that wait without a place, as a multiple of all places. */
  private static final int WAITING_TIMES_PLACES = 3;

  private final int usual;
  private final int own;
  private final Map<String, Integer> wide = new HashMap<>(); // places by bucket, if more than usual
  private final Map<String, Integer> inSharedByBucket = new HashMap<>();
  private int places;
  private final Map<Lane, Line> lines = new HashMap<>();
  private final Set<Line> queued = new LinkedHashSet<>(); // in the order of their turns
  private final Deque<Piece> returning = new ArrayDeque<>();
  private int running;
  private int inShared;
  private int waiting;

  /** The work of one lane. */
  private static final class Line {
    final Lane lane;
    final Deque<Piece> queue = new ArrayDeque<>();
    final Map<Wait, Integer> waits = new EnumMap<>(Wait.class);
    int running;
    int untried;

    Line(Lane lane) {
      this.lane = lane;
    }

    int waiting() {
      return waiting(Wait.FOR_PERMIT) + waiting(Wait.FOR_RETRY);
    }

    int waiting(Wait wait) {
      return waits.getOrDefault(wait, 0);
    }

    boolean isUsed() {
      return !queue.isEmpty() || running > 0 || waiting() > 0;
    }

    /**
     * Returns true if the lane must start nothing for now. When pieces of the lane wait for
     * permits, a piece that has just begun will probably wait, too, and counts as a waiting one.
     */
    boolean isHeldUp() {
      int permits = waiting(Wait.FOR_PERMIT);
      return (permits > 0 && permits + untried >= Wait.FOR_PERMIT.laneMax())
          || waiting(Wait.FOR_RETRY) >= Wait.FOR_RETRY.laneMax();
    }
  }

  /** A piece of work. */
  static final class Piece {
    private final Line line;
    private final Runnable work;
    private boolean isUntried = true;
    private Wait wait; // null while it has a place
    private Runnable goesOn;

    private Piece(Line line, Runnable work) {
      this.line = line;
      this.work = work;
    }

    Runnable work() {
      return work;
    }
  }

  LaneSchedule(int places) {
    this.usual = places;
    this.places = places;
    this.own = Math.max(1, Math.min(OWN_MAX, places / OWN_SHARE));
  }

  /**
   * Changes the number of places that the lanes of a bucket may use. The share of a lane stays as
   * it is. If there are fewer places now, work that runs keeps its place until it ends, and as many
   * pieces as before may wait.
   *
   * @param now no fewer than without this call are used
   */
  void places(String bucket, int now) {
    wide.remove(bucket);
    if (now > usual) {
      wide.put(bucket, now);
    }
    places = wide.values().stream().reduce(usual, Math::max);
  }

  Piece add(Lane lane, Runnable work) {
    Piece piece = new Piece(lines.computeIfAbsent(lane, Line::new), work);
    piece.line.queue.add(piece);
    queued.add(piece.line);
    return piece;
  }

  /** Removes the next piece to start from its queue and gives it a place. */
  Optional<Piece> start() {
    for (Iterator<Line> turns = queued.iterator(); turns.hasNext(); ) {
      Line line = turns.next();
      if (hasPlace(line) && !line.isHeldUp()) {
        turns.remove();
        Piece piece = line.queue.remove();
        if (!line.queue.isEmpty()) {
          queued.add(line);
        }
        take(line);
        line.untried++;
        return Optional.of(piece);
      }
    }
    return Optional.empty();
  }

  /** Gives a place to the next piece whose wait is over, and returns the action that resumes it. */
  Optional<Runnable> goOn() {
    for (Iterator<Piece> pieces = returning.iterator(); pieces.hasNext(); ) {
      Piece piece = pieces.next();
      if (hasPlace(piece.line)) {
        pieces.remove();
        piece.line.waits.merge(piece.wait, -1, Integer::sum);
        piece.wait = null;
        waiting--;
        take(piece.line);
        return Optional.of(piece.goesOn);
      }
    }
    return Optional.empty();
  }

  private boolean hasPlace(Line line) {
    if (line.running < own) {
      return true;
    }
    if (inShared >= places - own) {
      return false;
    }
    String bucket = line.lane.bucket();
    Integer most = wide.get(bucket);
    return most == null ? inSharedOfOthers() < usual - own : inShared(bucket) < most - own;
  }

  private int inShared(String bucket) {
    return inSharedByBucket.getOrDefault(bucket, 0);
  }

  /** Returns how many shared places the buckets have that are not wide. */
  private int inSharedOfOthers() {
    int others = inShared;
    for (String bucket : wide.keySet()) {
      others -= inShared(bucket);
    }
    return others;
  }

  private void take(Line line) {
    if (line.running >= own) {
      inShared++;
      inSharedByBucket.merge(line.lane.bucket(), 1, Integer::sum);
    }
    running++;
    line.running++;
  }

  private void leave(Line line) {
    running--;
    line.running--;
    if (line.running >= own) {
      inShared--;
      inSharedByBucket.computeIfPresent(
          line.lane.bucket(), (bucket, count) -> count > 1 ? count - 1 : null);
    }
  }

  /**
   * Records that a piece begins to wait.
   *
   * @return true if the piece gave up its place; false if it keeps the place because too many
   *     pieces wait already
   */
  boolean waits(Piece piece, Wait wait) {
    tried(piece);
    Line line = piece.line;
    boolean isOneTooMany =
        line.waiting() >= WAITING_IN_LANE && waiting >= WAITING_TIMES_PLACES * places;
    if (isOneTooMany || piece.wait != null) {
      return false;
    }
    leave(line);
    waiting++;
    line.waits.merge(wait, 1, Integer::sum);
    piece.wait = wait;
    return true;
  }

  /**
   * Records that the wait of a piece is over.
   *
   * @param goesOn the action that resumes the piece when it has a place again
   */
  void waited(Piece piece, Runnable goesOn) {
    piece.goesOn = goesOn;
    returning.add(piece);
  }

  void ended(Piece piece) {
    tried(piece);
    leave(piece.line);
    forgetUnused(piece.line);
  }

  /** Puts a piece that could not be started back at the head of its lane's queue. */
  void putBack(Piece piece) {
    leave(piece.line);
    piece.line.untried--;
    piece.line.queue.addFirst(piece);
    queued.add(piece.line);
  }

  /** Removes a piece from its queue. Returns false if the piece was started already. */
  boolean withdraw(Piece piece) {
    boolean isQueued = piece.line.queue.remove(piece);
    if (piece.line.queue.isEmpty()) {
      queued.remove(piece.line);
    }
    forgetUnused(piece.line);
    return isQueued;
  }

  /** Returns true if any piece has begun and not ended. */
  boolean isBusy() {
    return begun() > 0;
  }

  /** Returns the number of pieces that have begun and not ended. */
  int begun() {
    return running + waiting;
  }

  /** Returns the number of lanes that have work. */
  int lanes() {
    return lines.size();
  }

  private static void tried(Piece piece) {
    if (piece.isUntried) {
      piece.isUntried = false;
      piece.line.untried--;
    }
  }

  private void forgetUnused(Line line) {
    if (!line.isUsed()) {
      lines.remove(line.lane);
    }
  }
}
