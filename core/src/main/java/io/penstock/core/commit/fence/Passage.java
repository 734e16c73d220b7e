/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.Decision;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.intent.SuccessMarker;
import io.penstock.core.commit.lease.LeaseClock;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One job's passage through the fence. */
final class Passage {
  private static final Logger LOG = LoggerFactory.getLogger(Passage.class);
  private static final Duration POLL_MIN = Duration.ofMillis(250);
  private static final Duration POLL_MAX = Duration.ofSeconds(2);

  private final IntentFiles files;
  private final OutputTable table;
  private final DeadCommits deadCommits;
  private final Duration waitMax;
  private final Time time;
  private final long startNanos;
  private final Signs signs;
  private final Watch watch;
  private final Strays strays;
  private final Namesakes namesakes;
  private Intent mine;

  /** True while the job's intent may be at the table. */
  private boolean isPut;

  /** True if the job has committed. No other commit is a reason to fail then. */
  private boolean isFinishing;

  private boolean hasTold;
  private final Set<String> leftAlone = new HashSet<>();

  /** Those that this job has ended. They stay if it may not delete them. */
  private final Set<String> settled = new HashSet<>();

  private Duration poll = POLL_MIN;

  Passage(Fence.Site site, Intent mine, Signs signs, boolean wantsWhole) {
    this.files = site.files();
    this.table = site.table();
    this.deadCommits = site.deadCommits();
    this.waitMax = site.waitMax();
    this.time = site.time();
    this.startNanos = time.nowNanos();
    this.signs = signs;
    this.watch = new Watch(files, time, wantsWhole);
    this.strays = new Strays(files, table);
    this.namesakes = new Namesakes(files);
    this.mine = mine;
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
      } else if (mine.isAlone() && Strays.areSettling(listing, watch.storeNow().orElseThrow())) {
        pause();
      } else {
        Optional<Instant> now = watch.storeNow();
        if (now.isPresent()) {
          strays.clearAway(listing, now.get());
        }
        return passed(listing);
      }
    }
  }

  private Passed passed(Listing listing) {
    return new Passed(
        mine,
        listing.marker(),
        listing.epoch().isPresent(),
        listing.intents().keySet().stream().filter(id -> !id.equals(mine.id())).toList(),
        false,
        listing.all(),
        watch.isWhole());
  }

  private void put() throws IOException {
    watch.putting();
    isPut = true;
    signs.putting();
    files.put(mine);
    signs.put(mine);
  }

  /** Handles a removed intent: another process took this job for dead and ended its commit. */
  private Passed ended() throws IOException {
    boolean isHidden = files.isThere(mine);
    Optional<Decision> decision = files.decision(mine.id());
    signs.takenBack();
    if (isHidden && decision.isEmpty()) {
      files.remove(mine, Optional.empty(), true, true);
      throw new HiddenIntentException(
          "%s: the store's listing lacks an object that exists".formatted(table));
    }
    files.removeStrays(mine.id());
    if (decision.filter(Decision::isForward).isPresent()) {
      return Passed.committedByOthers(mine);
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
      Listing listing = watch.look(mine.id());
      List<Seen> dead = listing.intents().values().stream().filter(this::isDead).toList();
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

  /**
   * Ends a dead job's commit. If that is not possible, this job fails only if the dead job is in
   * its way.
   */
  private void settle(Seen dead) throws IOException {
    try {
      deadCommits.settle(dead);
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

  private boolean isDead(Seen seen) {
    boolean isMine = seen.id().equals(mine.id());
    if (isMine || leftAlone.contains(seen.id())) {
      return false;
    }
    return seen.isEnded() ? !settled.contains(seen.id()) : watch.isSilent(seen);
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
      earlier =
          earlier(inTheWay(watch.look(mine.id()))).stream().filter(seen -> !isDead(seen)).toList();
    }
  }

  private void pause() throws IOException, InterruptedException {
    Cancellation.sleep(time, poll, () -> false);
    poll = poll.multipliedBy(2).compareTo(POLL_MAX) < 0 ? poll.multipliedBy(2) : POLL_MAX;
  }

  private Duration waited() {
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

  /** Removes the intent if it may be in place; the job can go on with another one. */
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

  /** Waits until the jobs that committed beside this one have ended, for a job that has passed. */
  void awaitOthers(Passed passed) throws IOException, InterruptedException {
    isPut = true;
    isFinishing = true;
    boolean isAlone = passed.beside().isEmpty();
    while (!isAlone) {
      Listing listing = listing();
      isAlone = passed.beside().stream().noneMatch(id -> isUndecided(listing, id));
      if (!isAlone && waited().compareTo(waitMax) >= 0) {
        LOG.warn(
            "{}: other jobs are still committing; {} is written anyway", table, SuccessMarker.NAME);
        return;
      }
      if (!isAlone) {
        pause();
      }
    }
  }

  /**
   * Returns false if the commit is over, if its decision is made and all its files are visible, or
   * if it was left as it is.
   */
  private boolean isUndecided(Listing listing, String id) {
    Seen seen = listing.intents().get(id);
    return seen != null && !seen.isDecided() && !leftAlone.contains(id);
  }
}
