/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentFiles.Decision;
import io.penstock.core.commit.intent.IntentFiles.Listing;
import io.penstock.core.commit.intent.IntentFiles.Seen;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * of two jobs goes first. (A second use of time: a job without a sign of life for {@link
 * Leases#DURATION} counts as dead.)
 */
final class Fence {
  private static final Logger LOG = LoggerFactory.getLogger(Fence.class);

  /**
   * The time for which the answer for a job is kept that another process has committed. A job that
   * was paused for so long may continue, and must then find it.
   */
  static final Duration STRAYS_STAY = Duration.ofDays(1);

  /**
   * The time for which a job that deletes objects waits for the PUTs of a job that has ended. A PUT
   * that was under way at the end of that job is cut within seconds.
   */
  private static final Duration SETTLING = UnansweredWrites.SETTLING.multipliedBy(2);

  private static final Duration POLL_MIN = Duration.ofMillis(250);
  private static final Duration POLL_MAX = Duration.ofSeconds(2);

  private final IntentFiles files;
  private final OutputTable table;
  private final Recovery recovery;
  private final Duration waitMax;
  private final Time time;

  Fence(IntentFiles files, OutputTable table, Recovery recovery, CommitConfig config, Time time) {
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
   * @param marker the {@code _SUCCESS} at the root of the table, if there is one
   * @param hasEpoch whether the table has an epoch
   * @param beside names of the intents of jobs that commit at the same time
   * @param isOver whether another process has already committed the job
   * @param listed the hidden objects at the root of the table, or all objects of the table
   * @param isWhole whether {@code listed} has all of them
   */
  record Passed(
      Intent intent,
      Optional<ObjectMeta> marker,
      boolean hasEpoch,
      List<String> beside,
      boolean isOver,
      List<ObjectMeta> listed,
      boolean isWhole) {
    /** Returns all objects of the table, if the job wanted them and one listing has shown them. */
    Optional<List<ObjectMeta>> whole() {
      return isWhole ? Optional.of(listed) : Optional.empty();
    }
  }

  /** Tells that the job's own intent is in place, undecided, and not listed. */
  static final class HiddenException extends IOException {
    private static final long serialVersionUID = 1L;

    private HiddenException(String message) {
      super(message);
    }
  }

  /** One job's passage through the fence. */
  private final class Entry {
    private Intent mine;
    private final long startNanos = time.nowNanos();

    /** True while the job's intent may be at the table. */
    private boolean isPut;

    private boolean hasTold;
    private final Signs signs;
    private final Silence silence = new Silence();
    private final Set<String> leftAlone = new HashSet<>();

    /** Those that this job has ended. They stay if it may not delete them. */
    private final Set<String> settled = new HashSet<>();

    private final Namesakes namesakes = new Namesakes(files);
    private Duration poll = POLL_MIN;

    /**
     * The time at which the job's own intent was written, by the store's clock. {@code putNanos} is
     * the local time at which a listing first showed the intent. The two give the store's current
     * time.
     */
    private Instant putAt = Instant.MAX;

    private long putNanos;

    /** The store's time of the last listing, if it told. */
    private Optional<Instant> servedAt = Optional.empty();

    private boolean wantsWhole;
    private boolean isWhole;

    /** True if the job has committed. No other commit is a reason to fail then. */
    private boolean isFinishing;

    Entry(Intent mine, Signs signs, boolean wantsWhole) {
      this.mine = mine;
      this.signs = signs;
      this.wantsWhole = wantsWhole;
    }

    Passed pass() throws IOException, InterruptedException {
      while (true) {
        if (!isPut) {
          put();
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
              listing.marker(),
              listing.epoch().isPresent(),
              listing.intents().keySet().stream().filter(id -> !id.equals(mine.id())).toList(),
              false,
              listing.all(),
              isWhole);
        }
      }
    }

    private void put() throws IOException {
      putAt = Instant.MAX;
      isPut = true;
      signs.putting();
      files.put(mine);
      signs.put(mine);
    }

    /**
     * Returns true if a PUT of a job that has ended may still arrive. It would write a file again
     * that this job deletes.
     */
    private boolean isSettling(Listing listing) {
      Instant limit = storeNow().orElseThrow().minus(SETTLING);
      return listing.strays().entrySet().stream()
          .anyMatch(
              stray -> IntentNames.isSettling(stray.getKey()) && stray.getValue().isAfter(limit));
    }

    /** Handles a removed intent: another process took this job for dead and ended its commit. */
    private Passed ended() throws IOException {
      boolean isHidden = files.isThere(mine);
      Optional<Decision> decision = files.decision(mine.id());
      signs.takenBack();
      if (isHidden && decision.isEmpty()) {
        files.remove(mine, Optional.empty(), true, true);
        throw new HiddenException(
            "%s: the store's listing lacks an object that exists".formatted(table));
      }
      files.removeStrays(mine.id());
      if (decision.filter(Decision::isForward).isPresent()) {
        return new Passed(mine, Optional.empty(), false, List.of(), true, List.of(), false);
      }
      throw takenForDead();
    }

    private IOException takenForDead() {
      return new IOException(
          "%s: either another process considered this job dead and undid its commit, or the directory was deleted or renamed (%s). Run the job again"
              .formatted(table, mine.job()));
    }

    /**
     * Ends the commits of dead jobs and lists again, until the listing has no dead job. This job's
     * own intent is in place meanwhile: it keeps away those who must be alone, since the end of a
     * commit may write a {@code _SUCCESS}.
     */
    private Listing listing() throws IOException {
      while (true) {
        Listing listing = look();
        List<Seen> dead = dead(listing);
        if (dead.isEmpty()) {
          namesakes.find(listing, mine);
          return listing;
        }
        for (Seen one : dead) {
          if (signs.hasLapsed()) {
            takeBack();
            put();
          }
          settle(one);
        }
      }
    }

    private Listing look() throws IOException {
      Optional<Listing> whole = wantsWhole ? files.listWhole() : Optional.empty();
      isWhole = whole.isPresent();
      wantsWhole = false; // Once is enough: it may have been in vain, or others are in the way.
      Listing listing = isWhole ? whole.get() : files.list();
      servedAt = listing.servedAt();
      silence.listed(listing.intents().values(), time.nowNanos());
      Seen own = listing.intents().get(mine.id());
      if (own != null && putAt.equals(Instant.MAX)) {
        // This moment is later than the store's write. So a slow answer does not make a job look
        // dead too early.
        putAt = own.touched();
        putNanos = time.nowNanos();
      }
      return listing;
    }

    /**
     * Ends a dead job's commit. If that is not possible, this job fails only if the dead job is in
     * its way.
     */
    private void settle(Seen dead) throws IOException {
      try {
        recovery.settle(dead);
        settled.add(dead.id());
      } catch (IOException e) {
        if (LeaseClock.StaleException.isCauseOf(e) && signs.hasLapsed()) {
          return; // This job has stopped for a minute. It tries again with another intent.
        }
        if (isInTheWay(dead) && !isFinishing) {
          throw e;
        }
        LOG.warn(
            "{}: the unfinished commit of a dead job could be neither completed nor undone: {}",
            table,
            e.getMessage());
        leftAlone.add(dead.id());
      }
    }

    private List<Seen> dead(Listing listing) {
      return listing.intents().values().stream().filter(this::isDead).toList();
    }

    private boolean isDead(Seen seen) {
      boolean isMine = seen.id().equals(mine.id());
      if (isMine || leftAlone.contains(seen.id())) {
        return false;
      }
      return seen.isEnded() ? !settled.contains(seen.id()) : silence.isDead(seen, storeNow());
    }

    private List<Seen> inTheWay(Listing listing) {
      return listing.intents().values().stream().filter(this::isInTheWay).toList();
    }

    private boolean isInTheWay(Seen seen) {
      return !seen.id().equals(mine.id())
          && !seen.isEnded()
          && (seen.isAlone() || mine.isAlone() || namesakes.contains(seen));
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
        // The dead do not count: their commits are ended once the next intent is in place.
        earlier = earlier(inTheWay(look())).stream().filter(seen -> !isDead(seen)).toList();
      }
    }

    void pause() throws IOException, InterruptedException {
      Cancellation.sleep(time, poll, () -> false);
      poll = poll.multipliedBy(2).compareTo(POLL_MAX) < 0 ? poll.multipliedBy(2) : POLL_MAX;
    }

    /**
     * Returns false if the commit is over, if its decision is made and all its files are visible,
     * or if it was left as it is.
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
            "%s: gave up after %d s (penstock.commit.wait.max), because another job is committing to the table: %s. No file of this job is visible. Run this job again when the other job has ended"
                .formatted(table, waited().toSeconds(), who));
      }
      LOG.info("{}: waiting until {} has committed", table, who);
    }

    void takeBack() throws IOException {
      if (!isPut) {
        return;
      }
      // A process that has read this intent must not end the commit, which continues under the next
      // intent.
      Decision made = files.decide(mine.id(), Decision.WITHDRAWN).decision();
      signs.takenBack();
      if (made != Decision.WITHDRAWN) {
        isPut = false;
        throw takenForDead();
      }
      files.remove(mine, Optional.empty(), true, false);
      files.removeDecision(mine.id());
      isPut = false;
      mine = mine.next();
    }

    /** Returns the store's time, by this job's own intent if a listing has already shown it. */
    private Optional<Instant> storeNow() {
      return putAt.equals(Instant.MAX)
          ? servedAt
          : Optional.of(putAt.plusNanos(time.nowNanos() - putNanos));
    }

    /** Deletes the remaining objects of intents that ended some time ago. */
    private void clearAway(Listing listing) throws IOException {
      Optional<Instant> now = storeNow();
      if (now.isEmpty()) {
        return;
      }
      List<String> old = new ArrayList<>();
      for (Map.Entry<String, Instant> stray : listing.strays().entrySet()) {
        Duration age = Duration.between(stray.getValue(), now.get());
        boolean isOver =
            age.compareTo(STRAYS_STAY) > 0
                || (age.compareTo(Leases.DURATION) > 0 && files.isUseless(stray.getKey()));
        if (isOver || (IntentNames.isSettling(stray.getKey()) && age.compareTo(SETTLING) > 0)) {
          old.add(stray.getKey());
        }
      }
      try {
        files.delete(old);
      } catch (StoreException e) {
        if (e.kind() != Kind.ACCESS_DENIED) {
          throw e;
        }
        LOG.debug("{}: this process may not delete the leftovers of earlier commits", table, e);
      }
    }
  }

  /** Receives what becomes of a job's intent, for the thread that renews its lease. */
  interface Signs {
    /** For a passage whose lease nobody renews. */
    Signs NONE = intent -> {};

    /** The intent is about to be put. */
    default void putting() {}

    /** The intent is in place. */
    void put(Intent intent);

    /** The intent is gone, or will be in a moment. */
    default void takenBack() {}

    /** Returns true if another process may have taken the job for dead. */
    default boolean hasLapsed() {
      return false;
    }
  }

  /**
   * Puts the intent and waits until the job may commit. If this fails, the intent is removed.
   *
   * @param wantsWhole whether the job needs the objects of the whole table, if they are few
   * @throws InterruptedIOException when interrupted during a wait
   */
  Passed enter(Intent mine, Signs signs, boolean wantsWhole) throws IOException {
    Entry entry = new Entry(mine, signs, wantsWhole);
    try {
      return entry.pass();
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = interrupted();
      takeBack(entry, interrupted);
      throw interrupted;
    } catch (IOException | RuntimeException | Error e) {
      takeBack(entry, e);
      throw e;
    }
  }

  private InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while another job committed to " + table);
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
  void await(Intent mine, Passed passed) throws IOException {
    try {
      awaitOthers(mine, passed);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private void awaitOthers(Intent mine, Passed passed) throws IOException, InterruptedException {
    Entry entry = new Entry(mine, Signs.NONE, false);
    entry.isPut = true;
    entry.isFinishing = true;
    Optional<String> other = passed.beside().stream().findFirst();
    while (other.isPresent()) {
      Listing listing = entry.listing();
      other = passed.beside().stream().filter(id -> entry.isUndecided(listing, id)).findFirst();
      if (other.isPresent()) {
        if (entry.waited().compareTo(waitMax) >= 0) {
          LOG.warn(
              "{}: other jobs are still committing; {} is written anyway",
              table,
              SuccessMarker.NAME);
          return;
        }
        entry.pause();
      }
    }
  }
}
