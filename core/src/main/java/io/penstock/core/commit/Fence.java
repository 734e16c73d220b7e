/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.commit.IntentFiles.Decision;
import io.penstock.core.commit.IntentFiles.Listing;
import io.penstock.core.commit.IntentFiles.Seen;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a job commit only while no conflicting job commits. Two jobs conflict if one of them must be
 * alone at the table.
 *
 * <p>A job first puts its intent at the table and then lists the intents there. A store's listing
 * shows everything that was put before it, so of two jobs at least one sees the other. A job
 * continues only if it sees no conflicting intent. If two jobs see each other, the one that began
 * later takes its intent back and waits. Clocks have no part in this, except that they decide which
 * of two jobs goes first. (A second use of time: a job without a sign of life for {@link #LEASE}
 * counts as dead.)
 */
final class Fence {
  private static final Logger LOG = LoggerFactory.getLogger(Fence.class);

  /**
   * A job counts as dead if no object of its intent was written for this long. A live job renews
   * its lease four times in this period.
   */
  static final Duration LEASE = Duration.ofMinutes(1);

  /**
   * The time for which a decision is kept. A job that was paused for so long may continue, and must
   * then find the decision.
   */
  private static final Duration STRAYS_STAY = Duration.ofDays(1);

  /**
   * The time for which a job that deletes objects waits for the PUTs of a job that has ended. A PUT
   * that was under way at the end of that job is cut within seconds.
   */
  private static final Duration SETTLING = UnansweredPuts.SETTLING.multipliedBy(2);

  private static final Duration POLL_MIN = Duration.ofMillis(250);
  private static final Duration POLL_MAX = Duration.ofSeconds(2);

  private final IntentFiles files;
  private final Table table;
  private final Recovery recovery;
  private final Duration waitMax;
  private final Time time;

  Fence(IntentFiles files, Table table, Recovery recovery, CommitConfig config, Time time) {
    this.files = files;
    this.table = table;
    this.recovery = recovery;
    this.waitMax = config.waitMax();
    this.time = time;
  }

  /**
   * The state of the table that a job finds at the fence.
   *
   * @param intent the job's intent that is in place
   * @param hasMarker whether a {@code _SUCCESS} is at the root of the table
   * @param beside names of the intents of jobs that commit at the same time
   * @param isOver whether another process has already committed the job
   */
  record Passed(Intent intent, boolean hasMarker, List<String> beside, boolean isOver) {}

  /** One job's passage through the fence. */
  private final class Entry {
    private Intent mine;
    private final long startNanos = time.nowNanos();

    /** True while the job's intent may be at the table. */
    private boolean isPut;

    private boolean hasTold;
    private final Consumer<Optional<Intent>> current;
    private final Set<String> leftAlone = new HashSet<>();
    private Duration poll = POLL_MIN;

    /**
     * The time at which the job's own intent was written, by the store's clock. {@code putNanos} is
     * the local time at which a listing first showed the intent. The two give the store's current
     * time.
     */
    private Instant putAt = Instant.MAX;

    private long putNanos;

    Entry(Intent mine, Consumer<Optional<Intent>> current) {
      this.mine = mine;
      this.current = current;
    }

    Passed pass() throws IOException, InterruptedException {
      while (true) {
        if (!isPut) {
          putAt = Instant.MAX;
          current.accept(Optional.of(mine));
          isPut = true;
          files.put(mine);
        }
        Listing listing = listing();
        if (!listing.intents().containsKey(mine.id())) {
          isPut = false;
          return ended();
        }
        List<Seen> inTheWay = inTheWay(listing);
        if (!inTheWay.isEmpty()) {
          makeWay(inTheWay);
        } else if (mine.isAlone() && isSettling(listing)) {
          pause();
        } else {
          clearAway(listing);
          return new Passed(
              mine,
              listing.hasMarker(),
              listing.intents().keySet().stream().filter(id -> !id.equals(mine.id())).toList(),
              false);
        }
      }
    }

    /**
     * Returns true if a PUT of a job that has ended may still arrive. It would write a file again
     * that this job deletes.
     */
    private boolean isSettling(Listing listing) {
      Instant limit = storeNow().minus(SETTLING);
      return listing.strays().entrySet().stream()
          .anyMatch(
              stray -> IntentNames.isSettling(stray.getKey()) && stray.getValue().isAfter(limit));
    }

    /** Handles a removed intent: another process took this job for dead and ended its commit. */
    private Passed ended() throws IOException {
      if (files.decision(mine.id()).equals(Optional.of(Decision.FORWARD))) {
        return new Passed(mine, false, List.of(), true);
      }
      throw takenForDead();
    }

    private IOException takenForDead() {
      return new IOException(
          "%s: somebody has taken this job for dead before it committed, and undone it: %s"
              .formatted(table, mine.job()));
    }

    /** Ends the commits of dead jobs and lists again, until the listing has no dead job. */
    private Listing listing() throws IOException {
      while (true) {
        Listing listing = files.list();
        Seen own = listing.intents().get(mine.id());
        if (own != null && putAt.equals(Instant.MAX)) {
          // This moment is later than the store's write. So a slow answer does not make a job look
          // dead too early.
          putAt = own.touched();
          putNanos = time.nowNanos();
        }
        List<Seen> dead = dead(listing.intents().values());
        if (dead.isEmpty()) {
          return listing;
        }
        for (Seen one : dead) {
          settle(one);
        }
      }
    }

    /**
     * Ends a dead job's commit. If that is not possible, this job fails only if the dead job is in
     * its way.
     */
    private void settle(Seen dead) throws IOException {
      try {
        recovery.settle(dead);
      } catch (IOException e) {
        if (isInTheWay(dead)) {
          throw e;
        }
        LOG.warn("{}: the commit of a job that died stays as it is: {}", table, e.getMessage());
        leftAlone.add(dead.id());
      }
    }

    private List<Seen> dead(Collection<Seen> all) {
      return all.stream().filter(this::isDead).toList();
    }

    private boolean isDead(Seen seen) {
      boolean isMine = seen.id().equals(mine.id());
      if (isMine || leftAlone.contains(seen.id()) || putAt.equals(Instant.MAX)) {
        return false;
      }
      return Duration.between(seen.touched(), storeNow()).compareTo(LEASE) > 0;
    }

    private List<Seen> inTheWay(Listing listing) {
      return listing.intents().values().stream().filter(this::isInTheWay).toList();
    }

    private boolean isInTheWay(Seen seen) {
      return !seen.id().equals(mine.id()) && (seen.isAlone() || mine.isAlone());
    }

    private List<Seen> earlier(List<Seen> all) {
      return all.stream().filter(seen -> seen.id().compareTo(mine.id()) < 0).toList();
    }

    /**
     * Waits for the jobs in the way. If one of them began earlier, this job first takes its own
     * intent back.
     */
    private void makeWay(List<Seen> inTheWay) throws IOException, InterruptedException {
      tell(inTheWay.get(0));
      List<Seen> earlier = earlier(inTheWay);
      if (earlier.isEmpty()) {
        pause();
        return;
      }
      takeBack();
      while (!earlier.isEmpty()) {
        tell(earlier.get(0));
        pause();
        earlier = earlier(inTheWay(listing()));
      }
    }

    void pause() throws IOException, InterruptedException {
      Cancellation.sleep(time, poll, () -> false);
      poll = poll.multipliedBy(2).compareTo(POLL_MAX) < 0 ? poll.multipliedBy(2) : POLL_MAX;
    }

    /**
     * Returns false if the commit is over, if its decision is made (all files are visible, or are
     * being undone), or if it was left as it is.
     */
    boolean isUndecided(Listing listing, String id) {
      Seen seen = listing.intents().get(id);
      return seen != null && !seen.isDecided() && !leftAlone.contains(id);
    }

    Duration waited() {
      return Duration.ofNanos(time.nowNanos() - startNanos);
    }

    private void tell(Seen other) throws IOException {
      boolean isOver = waited().compareTo(waitMax) >= 0;
      if (hasTold && !isOver) {
        return;
      }
      hasTold = true;
      String who = files.read(other).map(intent -> intent.job().toString()).orElse(other.id());
      if (isOver) {
        throw new IOException(
            "%s: gave up after %d s (penstock.commit.wait.max), because another job commits to the table: %s. Nothing of this job is visible; run it again when the other has ended"
                .formatted(table, waited().toSeconds(), who));
      }
      LOG.info("{}: waits until {} has committed", table, who);
    }

    void takeBack() throws IOException {
      if (!isPut) {
        return;
      }
      // A process that has read this intent must not end the commit, which continues under the next
      // intent.
      if (files.decide(mine.id(), Decision.WITHDRAWN).decision() == Decision.BACK) {
        isPut = false;
        throw takenForDead();
      }
      current.accept(Optional.empty());
      files.delete(files.keysOf(mine, Optional.empty(), true, false));
      isPut = false;
      mine = mine.next();
    }

    private Instant storeNow() {
      return putAt.plusNanos(time.nowNanos() - putNanos);
    }

    /** Deletes the remaining objects of intents that ended long ago. */
    private void clearAway(Listing listing) throws IOException {
      List<String> old =
          listing.strays().entrySet().stream()
              .filter(stray -> stray.getValue().isBefore(storeNow().minus(stay(stray.getKey()))))
              .map(Map.Entry::getKey)
              .toList();
      files.delete(old);
    }

    private Duration stay(String stray) {
      return IntentNames.isSettling(stray) ? SETTLING : STRAYS_STAY;
    }
  }

  /**
   * Puts the intent and waits until the job may commit. If this fails, the intent is removed.
   *
   * @param current receives each intent before it is put, and empty when an intent is taken back
   * @throws InterruptedIOException when interrupted during a wait
   */
  Passed enter(Intent mine, Consumer<Optional<Intent>> current) throws IOException {
    Entry entry = new Entry(mine, current);
    try {
      return entry.pass();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while another job committed to " + table);
      takeBack(entry, interrupted);
      throw interrupted;
    } catch (IOException | RuntimeException | Error e) {
      takeBack(entry, e);
      throw e;
    }
  }

  private static void takeBack(Entry entry, Throwable failure) {
    try {
      Uninterruptible.run(entry::takeBack);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Waits until the jobs that commit at the same time have ended. A {@code _SUCCESS} that is
   * written earlier would also stand for their unfinished files. The commits of dead jobs are
   * ended.
   */
  void await(Intent mine, Passed passed) throws IOException, InterruptedException {
    Entry entry = new Entry(mine, intent -> {});
    Optional<String> other = passed.beside().stream().findFirst();
    while (other.isPresent()) {
      Listing listing = entry.listing();
      other = passed.beside().stream().filter(id -> entry.isUndecided(listing, id)).findFirst();
      if (other.isPresent()) {
        if (entry.waited().compareTo(waitMax) >= 0) {
          LOG.warn(
              "{}: others still commit; {} is written all the same", table, SuccessMarker.NAME);
          return;
        }
        entry.pause();
      }
    }
  }
}
