/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.ArrayList;
import java.util.List;

/** The job commits of this process that have begun, for a shutdown that lets them end. */
public final class CommitsUnderWay {
  private static final CommitsUnderWay PROCESS = new CommitsUnderWay();

  private final List<String> names = new ArrayList<>();

  CommitsUnderWay() {}

  /** Returns the one of this process. */
  public static CommitsUnderWay process() {
    return PROCESS;
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
