/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.intent.Seen;
import java.io.IOException;

/** Ends the commits of dead jobs, for a job that has its own intent in place. */
@FunctionalInterface
public interface DeadCommits {
  /** Completes or undoes a commit; returns at once if it has ended meanwhile. */
  void settle(Seen dead) throws IOException;
}
