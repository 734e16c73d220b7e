/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.recent.Recent;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the job commits of this process that are under way, so that a shutdown can wait for them.
 * Safe for use by many threads. Commits of the same name are counted separately.
 */
public final class CommitsUnderWay {
  private static final int LEFT_MAX = 1_000;

  private final List<String> names = new ArrayList<>();
  private final Recent<String, Boolean> left = new Recent<>(LEFT_MAX);
  private boolean hooked;

  /**
   * Returns true only at the first call. The caller must then make the end of the process wait for
   * the commits.
   */
  public synchronized boolean takeHook() {
    boolean isFirst = !hooked;
    hooked = true;
    return isFirst;
  }

  /**
   * Records that a commit has begun.
   *
   * @param name of the commit, for messages
   */
  public synchronized void begin(String name) {
    names.add(name);
  }

  /** Records that a commit has ended, successfully or not. */
  public synchronized void end(String name) {
    names.remove(name);
    notifyAll();
  }

  /**
   * Records that the job's commit has failed and could not be undone: nobody may touch the uploads
   * of the job.
   */
  public void leave(String jobId) {
    left.put(jobId, true);
  }

  /** Returns true if the job's commit has failed and could not be undone. */
  public boolean isLeft(String jobId) {
    return left.get(jobId).isPresent();
  }

  /** Returns the names of the commits that have begun and not ended. */
  public synchronized List<String> names() {
    return List.copyOf(names);
  }

  /** Waits, without a limit, until all commits have ended. */
  public synchronized void await() throws InterruptedException {
    while (!names.isEmpty()) {
      wait();
    }
  }
}
