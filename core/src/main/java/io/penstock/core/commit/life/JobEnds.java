/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.life.Leftovers.JobOutcome;
import io.penstock.core.recent.Recent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the outcomes of this driver's jobs for the processes that ran their tasks. Each of these
 * processes removes the uploads that only it knows. Safe for use by many threads.
 */
public final class JobEnds {
  /**
   * The number of jobs that are kept. Executors ask every few seconds, long before a job is
   * forgotten.
   */
  private static final int JOBS_MAX = 10_000;

  private final Leftovers own;
  private final Recent<String, JobOutcome> jobs = new Recent<>(JOBS_MAX);
  private final AtomicLong tasksLost = new AtomicLong();

  /**
   * @param own leftovers of the driver's process, which runs the tasks too if there are no
   *     executors
   */
  public JobEnds(Leftovers own) {
    this.own = own;
  }

  /**
   * Records that a job has ended, and all its own requests with it. Removes the uploads that its
   * tasks left in this process.
   *
   * @param known files whose uploads the job has completed or aborted
   */
  public void ended(String jobId, JobOutcome outcome, Collection<TaskFile> known) {
    jobs.put(jobId, outcome);
    own.ended(jobId, outcome, known);
  }

  /**
   * Counts a task that was lost with its process. Nobody removes the uploads that only this process
   * knew.
   */
  public void taskLost() {
    tasksLost.incrementAndGet();
  }

  /** Returns the number of tasks that were lost with their processes since this process began. */
  public long tasksLost() {
    return tasksLost.get();
  }

  /** Returns the outcomes of those of the given jobs that have ended. */
  public Map<String, JobOutcome> of(Collection<String> jobIds) {
    Map<String, JobOutcome> outcomes = new LinkedHashMap<>();
    jobIds.forEach(id -> jobs.get(id).ifPresent(outcome -> outcomes.put(id, outcome)));
    return outcomes;
  }
}
