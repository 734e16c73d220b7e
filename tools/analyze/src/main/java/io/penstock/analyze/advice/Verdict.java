/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/** The answers of a rule, in the order of a list of advice. */
public enum Verdict {
  DO("do"),
  /** The evidence stands between the two; a trial decides. */
  BENCHMARK("benchmark both"),
  DONT("don't"),
  /** The logs do not say; the advice names the log that would. */
  NO_EVIDENCE("no evidence");

  private final String word;

  Verdict(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
