/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.hadoop.mount.Sighting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The executors of an application, asked what they see of a mounted filesystem. */
interface Witnesses {
  /** Returns how many there are now. */
  int count();

  /**
   * Returns what those saw that answered; one may have answered more than once, another not at all.
   * Empty when they did not answer in time.
   */
  List<Sighting> ask(String directory, String token, Duration atMost) throws IOException;
}
