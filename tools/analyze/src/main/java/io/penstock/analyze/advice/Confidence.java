/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/** The basis of an expected effect. */
public enum Confidence {
  /** A published measurement, or the specification. */
  HIGH("H"),
  /** A formula applied to numbers of this job. */
  MEDIUM("M"),
  /** Experience; to be tried out. */
  LOW("L");

  private final String letter;

  Confidence(String letter) {
    this.letter = letter;
  }

  public String letter() {
    return letter;
  }
}
