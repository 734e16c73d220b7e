/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import java.time.Duration;
import java.util.List;

/** One thing that is looked at. It changes nothing, unless it was made for that. */
public interface Check {
  /** Returns its name, a word or two. */
  String name();

  /** Returns how long it may take; then it has failed. */
  default Duration ceiling() {
    return Duration.ofSeconds(5);
  }

  /** Returns true if the checks after it are pointless when it fails. */
  default boolean isGate() {
    return false;
  }

  /** Looks; an exception is a failure of the check. */
  List<CheckOutcome> look() throws Exception;
}
