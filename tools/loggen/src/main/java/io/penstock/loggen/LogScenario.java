/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/** The scenarios of a generated job. */
public enum LogScenario {
  /** A row of the published benchmark: 503 SlowDown while many files are written. */
  THROTTLED,
  /** The measured part uploads. Some of them are very slow. Nothing is throttled. */
  TAIL
}
