/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

/** The scenarios of a generated job. */
public enum LogScenario {
  /**
   * A job of the benchmark that AWS published for EMRFS's retries. The job writes many files, and
   * S3 answers some of its requests with 503 SlowDown.
   */
  THROTTLED,
  /** The measured part uploads. Some of them are very slow. Nothing is throttled. */
  TAIL
}
