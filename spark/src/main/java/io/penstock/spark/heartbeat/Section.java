/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One subject on which an executor talks with the driver. Used by one thread, which all sections
 * share: no method may wait or send requests to a store.
 */
public interface Section {
  /** Returns the name, which the driver's {@link DriverSection} has, too. */
  String name();

  /** Returns the least time between two questions. */
  Duration period();

  /** Returns what to tell or ask the driver now; empty if there is nothing. */
  Optional<byte[]> question() throws IOException;

  /**
   * Returns true if the driver must hear what is left to tell when the process ends, although
   * nobody waits for the answer.
   */
  default boolean tellsLast() {
    return false;
  }

  /**
   * Takes the driver's answer to the last question.
   *
   * @throws IOException when the answer cannot be read; {@link #failed} is called then
   */
  void answered(byte[] answer) throws IOException;

  /** Learns that the last question was not answered. The driver may have received it. */
  void failed(Exception why);
}
