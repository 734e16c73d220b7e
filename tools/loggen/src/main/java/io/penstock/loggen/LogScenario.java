/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/** The scenarios that a generated job can live through. */
public enum LogScenario {
  /** A row of the published benchmark: 503 SlowDown while many files are written. */
  THROTTLED,
  /** The measured part uploads, of which some are very slow; nothing is throttled. */
  TAIL
}
