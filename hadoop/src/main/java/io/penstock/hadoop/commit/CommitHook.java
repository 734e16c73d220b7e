/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import io.penstock.core.commit.life.CommitsUnderWay;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a commit finish when SIGTERM or System.exit ends the process. This hook runs before the
 * hooks of Spark and of Hadoop's file systems, which would close resources that the commit needs.
 */
final class CommitHook {
  private static final Logger LOG = LoggerFactory.getLogger(CommitHook.class);

  /**
   * Spark's hooks have priority 40, the file systems' 10. Hooks with a higher priority run first.
   */
  private static final int PRIORITY = 100;

  /** Kubernetes kills a process 30 s after it asks the process to end. */
  private static final long WAIT_SECONDS = 25;

  private CommitHook() {}

  /** Installs the hook for these commits. Does nothing if it is already installed. */
  static void install(CommitsUnderWay commits) {
    if (!commits.takeHook()) {
      return;
    }
    try {
      ShutdownHookManager.get()
          .addShutdownHook(() -> await(commits), PRIORITY, WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (IllegalStateException e) {
      LOG.debug("the process is ending already", e);
    }
  }

  private static void await(CommitsUnderWay commits) {
    commits.names().forEach(name -> LOG.info("the process ends when {} has been committed", name));
    try {
      commits.await();
    } catch (InterruptedException e) {
      commits
          .names()
          .forEach(
              name ->
                  LOG.error(
                      "{}: the commit did not end within {} s and is interrupted. The next job that"
                          + " writes to the table, or 'penstock recover --write', will complete or"
                          + " undo it",
                      name,
                      WAIT_SECONDS));
    }
  }
}
