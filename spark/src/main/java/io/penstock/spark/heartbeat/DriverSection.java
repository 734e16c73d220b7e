/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import java.io.IOException;

/**
 * The driver's side of a {@link Section}. Must not wait: Spark has one thread for the messages of
 * all plugins.
 */
public interface DriverSection {
  /** Returns the name of the executors' section. */
  String name();

  /**
   * Answers an executor.
   *
   * @param executor its id
   * @throws IOException when the question cannot be read
   */
  byte[] answer(String executor, byte[] question) throws IOException;
}
