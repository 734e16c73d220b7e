/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import io.penstock.checkpoints.place.ProgressListener;
import io.penstock.cli.print.Terminal;
import java.io.PrintWriter;

/** Shows the progress of long work on stderr. Shows nothing for short work. */
final class CheckpointProgress implements ProgressListener {
  private static final long QUIET = 5_000;

  private final Terminal terminal;
  private boolean hasShown;
  private long lastListed;

  CheckpointProgress(PrintWriter err) {
    this.terminal = new Terminal(err);
  }

  @Override
  public synchronized void at(String what, long done, long of) {
    if (of > 0) {
      show("%,d of %,d %s".formatted(done, of, what));
    } else if (done >= Math.max(QUIET, 2 * lastListed)) { // limits the lines in a log
      lastListed = done;
      show("%,d %s".formatted(done, what));
    }
  }

  private void show(String text) {
    hasShown = true;
    terminal.progress(text);
  }

  /** Removes the progress line before a result is printed. */
  synchronized void end() {
    if (hasShown) {
      terminal.clear();
      hasShown = false;
    }
  }
}
