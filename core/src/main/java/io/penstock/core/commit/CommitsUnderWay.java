/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.recent.Recent;
import java.util.ArrayList;
import java.util.List;

/** The job commits of this process that have begun, for a shutdown that lets them end. */
public final class CommitsUnderWay {
  private static final int LEFT_MAX = 1_000;

  private final List<String> names = new ArrayList<>();
  private final Recent<String, Boolean> left = new Recent<>(LEFT_MAX);
  private boolean hooked;

  /** Returns true at the first call: the caller makes the end of the process wait for them. */
  public synchronized boolean takeHook() {
    boolean isFirst = !hooked;
    hooked = true;
    return isFirst;
  }

  /**
   * A commit begins.
   *
   * @param name for a message
   */
  public synchronized void begin(String name) {
    names.add(name);
  }

  /** A commit has ended, well or not. */
  public synchronized void end(String name) {
    names.remove(name);
    notifyAll();
  }

  /** A commit has failed that could not be undone: nobody may touch the uploads of the job. */
  public void leave(String jobId) {
    left.put(jobId, true);
  }

  /** Returns true if the commit of the job was left in its middle. */
  public boolean isLeft(String jobId) {
    return left.get(jobId).isPresent();
  }

  /** Returns those that have begun and not ended. */
  public synchronized List<String> names() {
    return List.copyOf(names);
  }

  /** Waits until all have ended. */
  public synchronized void await() throws InterruptedException {
    while (!names.isEmpty()) {
      wait();
    }
  }
}
