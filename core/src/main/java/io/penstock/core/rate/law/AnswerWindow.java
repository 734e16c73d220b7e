/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import io.penstock.core.rate.law.RateLaw.Window;

/** Counts the answers since the last time that they were judged. */
public final class AnswerWindow {
  private double sinceSeconds;
  private double answers;
  private double throttled;

  public void add(double ok, double rejected) {
    answers += ok + rejected;
    throttled += rejected;
  }

  public double answers() {
    return answers;
  }

  public double seconds(double now) {
    return now - sinceSeconds;
  }

  /** Returns the answers since the last call as a window, and begins a new window. */
  public Window take(double now, boolean waits) {
    double seconds = seconds(now);
    double sent = answers / seconds;
    double ok = sent - throttled / seconds;
    restart(now);
    return new Window(seconds, sent, ok, waits);
  }

  public void restart(double now) {
    sinceSeconds = now;
    answers = 0;
    throttled = 0;
  }
}
