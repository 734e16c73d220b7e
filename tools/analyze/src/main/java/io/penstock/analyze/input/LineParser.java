/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestRow;

/**
 * Reads a log of one line a record. Keeps nothing between lines, so a big file can be read in
 * parts, by several threads at once.
 */
public interface LineParser {
  /** The end that a line came to. */
  record Verdict(What what, String reason) {
    /** The line is a request. */
    public static final Verdict REQUEST = new Verdict(What.REQUEST, "");

    /** The kinds of verdicts. */
    public enum What {
      REQUEST,
      SKIPPED,
      REJECTED
    }

    /** The line is well, but no request of ours. */
    public static Verdict skipped(String reason) {
      return new Verdict(What.SKIPPED, reason);
    }

    /** The line cannot be read. */
    public static Verdict rejected(String reason) {
      return new Verdict(What.REJECTED, reason);
    }
  }

  /**
   * Reads a line.
   *
   * @param text holds the line from start, without its end, to end exclusive; never empty
   * @param row cleared; filled but not finished when the verdict is a request
   */
  Verdict parse(byte[] text, int start, int end, RequestRow row);
}
