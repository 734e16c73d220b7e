/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.recover;

import io.penstock.core.commit.UnfinishedCommits;
import io.penstock.core.commit.UnfinishedCommits.Unfinished;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds out whether the job of an unfinished commit is alive. The clock of this machine has no say
 * in this: ages come from the store's clock, and the watch only measures how long it lasts.
 */
final class LifeWatch {
  /**
   * The age after which a job is certainly dead. A store refuses requests of clients whose clocks
   * are off by more than 15 minutes.
   */
  private static final Duration SURELY_DEAD = UnfinishedCommits.LEASE.plusMinutes(16);

  private static final Duration LOOK = Duration.ofSeconds(5);

  private final UnfinishedCommits commits;
  private final Optional<Instant> storeTime;
  private final Time time;
  private final Consumer<String> progress;

  /**
   * @param storeTime by the store's clock, from before the commits were found; empty if the store
   *     does not tell it
   * @param time measures the watch
   * @param progress receives a sentence every few seconds
   */
  LifeWatch(
      UnfinishedCommits commits,
      Optional<Instant> storeTime,
      Time time,
      Consumer<String> progress) {
    this.commits = commits;
    this.storeTime = storeTime;
    this.time = time;
    this.progress = progress;
  }

  /**
   * Returns for how long the job has shown no sign of life, at least, by the store's clock; empty
   * if the store's time is not known.
   */
  Optional<Duration> silence(Unfinished commit) {
    return storeTime.map(now -> Duration.between(commit.touched(), now));
  }

  /**
   * Watches a commit for as long as a live job needs to show activity. Does not watch if the job
   * has been silent for so long that it is certainly dead.
   */
  boolean isAlive(Unfinished commit) throws IOException {
    if (silence(commit).filter(age -> age.compareTo(SURELY_DEAD) > 0).isPresent()) {
      return false;
    }
    long startNanos = time.nowNanos();
    Duration watched = Duration.ZERO;
    while (watched.compareTo(UnfinishedCommits.LEASE) < 0) {
      progress.accept(
          "watching for %d s whether job %s lives"
              .formatted(
                  UnfinishedCommits.LEASE.minus(watched).toSeconds() + 1, commit.job().id()));
      pause();
      Optional<Instant> now = commits.touched(commit);
      if (now.isEmpty() || !now.get().equals(commit.touched())) {
        return now.isPresent();
      }
      watched = Duration.ofNanos(time.nowNanos() - startNanos);
    }
    return false;
  }

  private void pause() throws InterruptedIOException {
    try {
      time.sleep(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
