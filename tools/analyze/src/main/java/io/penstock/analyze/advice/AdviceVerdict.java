/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/** The kinds of answers that a rule can give, in the order in which advice is listed. */
public enum AdviceVerdict {
  DO("do"),
  /** The evidence is not clear in either direction; a benchmark has to decide. */
  BENCHMARK("benchmark both"),
  DONT("don't"),
  /** The logs do not contain the answer; the advice names the log that would contain it. */
  NO_EVIDENCE("no evidence");

  private final String word;

  AdviceVerdict(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
