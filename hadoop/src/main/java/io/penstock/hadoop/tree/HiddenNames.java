/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.commit.DirectoryGuard;

/**
 * The names of what commits keep beside a table: intents, and the lists of jobs of RDDs. They alone
 * make no directory exist. Otherwise the first job of a path, if its driver dies, would keep the
 * path from being free.
 */
public final class HiddenNames {
  /** The prefix of the directory with the lists of a job, before the job's id. */
  private static final String JOB = "_penstock_job_";

  private HiddenNames() {}

  /**
   * Returns true if a key is hidden, seen from a directory above it.
   *
   * @param key of an object, or of a directory with a slash at its end
   * @param directory empty or ending with a slash; the key starts with it
   */
  static boolean isHidden(String key, String directory) {
    String rest = key.substring(directory.length());
    int end = rest.indexOf('/');
    String name = end < 0 ? rest : rest.substring(0, end);
    return DirectoryGuard.isIntent(name) || name.startsWith(JOB);
  }
}
