/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import java.time.Duration;
import java.util.List;

/**
 * A check of one aspect of the installation. Checks change nothing, except those whose purpose is
 * to test writing.
 */
public interface Check {
  /** Returns the check's name, one or two words. */
  String name();

  /** Returns the time limit. A check that exceeds it has failed. */
  default Duration ceiling() {
    return Duration.ofSeconds(5);
  }

  /** Returns true if the later checks of the group make no sense after this one has failed. */
  default boolean isGate() {
    return false;
  }

  /**
   * Runs the check on a thread of its own, which is interrupted at the time limit. Returns at least
   * one outcome. An exception means that the check has failed; the message of an IOException is
   * shown.
   */
  List<CheckOutcome> look() throws Exception;
}
