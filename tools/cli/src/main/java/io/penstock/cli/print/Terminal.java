/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import java.io.PrintWriter;

/**
 * Shows the progress of a long command: on one line that is rewritten, or line by line in a log.
 */
public final class Terminal {
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean rewrites;

  public Terminal(PrintWriter out) {
    this.out = out;
    this.rewrites = isPresent();
  }

  /**
   * Returns true if the output goes to a terminal. The launcher checks this in the shell: Java can
   * tell a terminal from a pipe only since version 22.
   */
  public static boolean isPresent() {
    return Boolean.getBoolean("penstock.terminal");
  }

  /** Returns the columns of the terminal, which the launcher asks for; at least the given ones. */
  public static int width(int least) {
    return Math.max(least, Integer.getInteger("penstock.columns", least));
  }

  /** Shows the current progress. */
  public void progress(String text) {
    if (rewrites) {
      out.print(CLEAR + "  " + text + " …");
    } else {
      out.println("  " + text + " …");
    }
    out.flush();
  }

  /** Replaces the progress line with a result that stays. */
  public void done(String text) {
    if (rewrites) {
      out.print(CLEAR);
    }
    out.println("  " + text);
    out.flush();
  }

  /** Removes the progress line before something else is printed. */
  public void clear() {
    if (rewrites) {
      out.print(CLEAR);
      out.flush();
    }
  }

  public void print(String text) {
    out.println(text);
    out.flush();
  }
}
