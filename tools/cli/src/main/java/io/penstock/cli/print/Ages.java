/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import java.time.Duration;

/** Formats in words how long ago something was. */
public final class Ages {
  private Ages() {}

  public static String text(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 7200) {
      return seconds / 60 + " min";
    }
    return seconds < 2 * 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " days";
  }
}
