/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.pool.Uninterruptible;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

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
public final class Fence {
  /**
   * The time for which the answer for a job is kept that another process has committed. A job that
   * was paused for so long may continue, and must then find it.
   */
  public static final Duration STRAYS_STAY = Duration.ofDays(1);

  private final Site site;

  /** Tells a passage where the fence stands, and lends it what it needs. */
  record Site(
      IntentFiles files, OutputTable table, DeadCommits deadCommits, Duration waitMax, Time time) {}

  public Fence(
      IntentFiles files,
      OutputTable table,
      DeadCommits deadCommits,
      CommitConfig config,
      Time time) {
    this.site = new Site(files, table, deadCommits, config.waitMax(), time);
  }

  /**
   * Puts the intent and waits until the job may commit. If this fails, the intent is removed.
   *
   * @param wantsWhole whether the job needs the objects of the whole table, if they are few
   * @throws InterruptedIOException when interrupted during a wait
   */
  public Passed enter(Intent mine, Signs signs, boolean wantsWhole) throws IOException {
    Passage passage = new Passage(site, mine, signs, wantsWhole);
    try {
      return passage.pass();
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = interrupted();
      takeBack(passage, interrupted);
      throw interrupted;
    } catch (IOException | RuntimeException | Error e) {
      takeBack(passage, e);
      throw e;
    }
  }

  private InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while another job committed to " + site.table());
  }

  private static void takeBack(Passage passage, Throwable failure) {
    try {
      Uninterruptible.run(passage::takeBack);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Waits until the jobs that commit at the same time have ended. A {@code _SUCCESS} that is
   * written earlier would also stand for their unfinished files. The commits of dead jobs are
   * ended.
   */
  public void await(Intent mine, Passed passed) throws IOException {
    try {
      new Passage(site, mine, Signs.NONE, false).awaitOthers(passed);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }
}
