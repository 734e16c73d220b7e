/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code _SUCCESS}, which Hadoop's committers put beside the files of a job that has committed. */
public final class SuccessMarker {
  private static final Logger LOG = LoggerFactory.getLogger(SuccessMarker.class);
  private static final String ENABLED = "mapreduce.fileoutputcommitter.marksuccessfuljobs";

  private SuccessMarker() {}

  /**
   * Puts the marker, unless it is switched off. When that fails the job has committed all the same:
   * to fail it would have it run again, and its rows doubled.
   */
  public static void put(PenstockFileSystem fs, Path output, Configuration conf) {
    if (!conf.getBoolean(ENABLED, true)) {
      return;
    }
    Path marker = fs.makeQualified(new Path(output, "_SUCCESS"));
    try {
      fs.commitStore().put(fs.key(marker), Body.empty(), Condition.NONE);
    } catch (IOException e) {
      LOG.warn("the job has committed, but {} could not be written", marker, e);
    }
  }
}
