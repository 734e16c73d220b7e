/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint.mount;

import io.penstock.hadoop.mount.MountReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The executors of an application. Each can report what it sees of a mounted filesystem. */
interface Witnesses {
  /** Returns the number of executors now. */
  int count();

  /**
   * Returns the sightings of the executors that answered. An executor may answer more than once or
   * not at all. Returns an empty list if the answers do not come in time.
   */
  List<MountReport> ask(String directory, String token, Duration atMost) throws IOException;
}
