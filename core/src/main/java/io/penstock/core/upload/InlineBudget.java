/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

/** Limits the content that a task's message carries to the driver. Safe for use by many threads. */
public final class InlineBudget {
  private final long fileMaxBytes;
  private long leftBytes;

  /**
   * @param fileMaxBytes the largest file that may travel in the message; 0 for none
   * @param taskMaxBytes the most content of all files of the task together
   */
  public InlineBudget(long fileMaxBytes, long taskMaxBytes) {
    this.fileMaxBytes = Math.min(fileMaxBytes, taskMaxBytes);
    this.leftBytes = taskMaxBytes;
  }

  /** Returns the budget of a task whose message carries no content. */
  public static InlineBudget none() {
    return new InlineBudget(0, 0);
  }

  /** Takes room for a file of this size. Returns false if there is none. */
  synchronized boolean take(long bytes) {
    boolean fits = fileMaxBytes > 0 && bytes <= fileMaxBytes && bytes <= leftBytes;
    leftBytes -= fits ? bytes : 0;
    return fits;
  }

  /** Gives back the room of a file that was dropped, or that did not fit into memory. */
  synchronized void giveBack(long bytes) {
    leftBytes += bytes;
  }
}
