/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.analyze.request.RequestRow;

/**
 * Parses logs with one record on each line. What a line says never depends on the lines before it,
 * so parts of a large file can be read at the same time, each by a parser of its own.
 */
public interface LineParser {
  /** The result of parsing a line. */
  record Verdict(What what, String reason) {
    /** The verdict for a line that is a request. */
    public static final Verdict REQUEST = new Verdict(What.REQUEST, "");

    /** The kinds of verdicts. */
    public enum What {
      REQUEST,
      SKIPPED,
      REJECTED
    }

    /** Returns the verdict for a valid line that is not an S3 request. */
    public static Verdict skipped(String reason) {
      return new Verdict(What.SKIPPED, reason);
    }

    /** Returns the verdict for a line that cannot be parsed. */
    public static Verdict rejected(String reason) {
      return new Verdict(What.REJECTED, reason);
    }
  }

  /** The answer of {@link #parseRegular} to a line that it does not read. */
  int OTHER = -1;

  /**
   * Parses a line whose end is not known yet, if it has the form that most lines have. A parser
   * that has no such form leaves all lines to {@link #parse}.
   *
   * @param text holds the line, and what follows it, from start to limit exclusive
   * @param row is empty before the call, and undefined after it if the line was not read
   * @return the position of the line break after a request, or {@link #OTHER}
   */
  default int parseRegular(byte[] text, int start, int limit, RequestRow row) {
    return OTHER;
  }

  /**
   * Parses a line.
   *
   * @param text holds the line, without its line break, from start to end exclusive; never empty
   * @param row is empty before the call; when the verdict is a request, the parser has filled it,
   *     and the caller must still call {@link RequestRow#finish}
   */
  Verdict parse(byte[] text, int start, int end, RequestRow row);
}
