/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.lang.StackWalker.StackFrame;
import java.util.Map;
import java.util.Set;

/**
 * Tells whether a path is looked for because a job must find nothing at its output. Such a check
 * comes before the job's committer exists, so the file system is all that hears of it.
 */
final class NewOutputs {
  /** The checks, by class: those of files of RDDs, of CREATE TABLE AS SELECT, of managed tables. */
  private static final Map<String, Set<String>> CHECKS =
      Map.of(
          "org.apache.hadoop.mapred.FileOutputFormat",
          Set.of("checkOutputSpecs"),
          "org.apache.hadoop.mapreduce.lib.output.FileOutputFormat",
          Set.of("checkOutputSpecs"),
          "org.apache.spark.sql.execution.command.DataWritingCommand$",
          Set.of("assertEmptyRootPath"),
          "org.apache.spark.sql.catalyst.catalog.SessionCatalog",
          Set.of("validateTableLocation", "validateNewLocationOfRename"));

  private NewOutputs() {}

  /** Returns true if one of the callers is such a check. */
  static boolean areChecked() {
    return StackWalker.getInstance().walk(frames -> frames.anyMatch(NewOutputs::isCheck));
  }

  private static boolean isCheck(StackFrame frame) {
    return CHECKS.getOrDefault(frame.getClassName(), Set.of()).contains(frame.getMethodName());
  }
}
