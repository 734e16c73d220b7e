/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

/** The grounds of an expected effect. */
public enum Confidence {
  /** A published measurement, or the specification. */
  HIGH("H"),
  /** A formula on numbers of this job. */
  MEDIUM("M"),
  /** Experience; try it. */
  LOW("L");

  private final String letter;

  Confidence(String letter) {
    this.letter = letter;
  }

  public String letter() {
    return letter;
  }
}
