/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

/** The ways in which a job ends. */
public enum JobOutcome {
  COMMITTED,
  ABORTED
}
