/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.Leftovers.JobOutcome;
import io.penstock.core.recent.Recent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps how the jobs of this driver ended, for the processes that ran their tasks: each removes
 * what only it knows of. Safe for use by many threads.
 */
public final class JobEnds {
  /** Executors ask every few seconds, so they have asked long before a job is forgotten. */
  private static final int JOBS_MAX = 10_000;

  private final Leftovers own;
  private final Recent<String, JobOutcome> jobs = new Recent<>(JOBS_MAX);
  private final AtomicLong tasksLost = new AtomicLong();

  /**
   * @param own of the driver, whose process runs tasks too when it is alone
   */
  public JobEnds(Leftovers own) {
    this.own = own;
  }

  /**
   * A job has ended, and all its own requests with it. What its tasks left in this process is
   * removed now.
   *
   * @param known uploads that the job has completed or aborted
   */
  public void ended(String jobId, JobOutcome outcome, Collection<TaskUpload> known) {
    jobs.put(jobId, outcome);
    own.ended(jobId, outcome, known);
  }

  /** A task was lost with its process: nobody removes what only that knew of. */
  public void taskLost() {
    tasksLost.incrementAndGet();
  }

  /** Returns how many tasks have been lost with their processes since this one began. */
  public long tasksLost() {
    return tasksLost.get();
  }

  /** Returns how those of the jobs ended that have. */
  public Map<String, JobOutcome> of(Collection<String> jobIds) {
    Map<String, JobOutcome> outcomes = new LinkedHashMap<>();
    jobIds.forEach(id -> jobs.get(id).ifPresent(outcome -> outcomes.put(id, outcome)));
    return outcomes;
  }
}
