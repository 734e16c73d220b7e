/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import java.util.ArrayList;
import java.util.List;

/**
 * The job commits of this process that are under way, so that a shutdown can wait for them. Commits
 * of the same name are counted separately. Safe for use by many threads.
 */
public final class CommitsUnderWay {
  private final List<String> names = new ArrayList<>();
  private boolean hooked;

  CommitsUnderWay() {}

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
