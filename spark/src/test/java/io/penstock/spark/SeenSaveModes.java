/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.spark.plan.RunningWrite;
import io.penstock.spark.plan.SaveModes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol;

/** Spark's own protocol, which notes the save mode of each of its jobs. */
public final class SeenSaveModes extends SQLHadoopMapReduceCommitProtocol {
  private static final long serialVersionUID = 1L;
  private static final List<String> SEEN = Collections.synchronizedList(new ArrayList<>());

  /** The constructor Spark looks for. */
  public SeenSaveModes(String jobId, String path, boolean isDynamic) {
    super(jobId, path, isDynamic);
    SaveModes modes =
        RunningWrite.to(path).map(write -> write.saveModes(isDynamic)).orElse(SaveModes.unknown());
    List<String> directories =
        modes.directories().stream().map(directory -> relative(directory.toString())).toList();
    SEEN.add(modes.mode() + " " + String.join(" ", directories));
  }

  /** Returns what a path has below the test's directory. */
  private static String relative(String path) {
    return path.replaceFirst(".*/save-modes[^/]*/", "");
  }

  /** Returns what the jobs of the action were, each as its mode and its directories. */
  static List<String> of(Runnable action) {
    SEEN.clear();
    action.run();
    return List.copyOf(SEEN);
  }
}
