/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.life.JobOutcome;
import io.penstock.core.commit.life.Jobs;
import io.penstock.spark.heartbeat.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the driver, from an executor, about the end of the jobs that have written in this process.
 * Then removes their leftovers: uploads that a task handed over after the abort of its job had
 * begun. Asks only while there are such jobs.
 */
public final class ExecutorJobs implements Section {
  /** The name of the section in which executors ask how jobs have ended. */
  static final String JOBS = "jobs";

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorJobs.class);

  /** The period can be long, because leftovers cost only a little storage. */
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private static final Duration REMOVER_LINGERS = Duration.ofSeconds(10);

  private final Jobs jobs;
  private final Executor remover;
  private final Set<String> beingRemoved = ConcurrentHashMap.newKeySet();

  /**
   * @param remover removes what is left, which takes requests
   */
  public ExecutorJobs(Jobs jobs, Executor remover) {
    this.jobs = jobs;
    this.remover = remover;
  }

  /** Returns an executor with one thread, which ends when it has nothing to remove. */
  public static Executor remover() {
    return new ThreadPoolExecutor(
        0, // The queue has no limit, so there is never a second thread.
        1,
        REMOVER_LINGERS.toSeconds(),
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        work -> {
          Thread thread = new Thread(work, "penstock-leftovers");
          thread.setDaemon(true);
          thread.setContextClassLoader(ExecutorJobs.class.getClassLoader());
          return thread;
        });
  }

  @Override
  public String name() {
    return JOBS;
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  @Override
  public Optional<byte[]> question() throws IOException {
    Set<String> open = new TreeSet<>(jobs.openJobs());
    open.removeAll(beingRemoved);
    return open.isEmpty() ? Optional.empty() : Optional.of(JobMessages.question(open));
  }

  @Override
  public void answered(byte[] answer) throws IOException {
    JobMessages.readAnswer(answer).forEach(this::ended);
  }

  private void ended(String jobId, JobOutcome outcome) {
    if (!beingRemoved.add(jobId)) {
      return;
    }
    try {
      remover.execute(() -> remove(jobId, outcome));
    } catch (OutOfMemoryError e) { // no new thread; the next round asks again
      beingRemoved.remove(jobId);
      LOG.debug("no thread could be started to remove what is left of job {}", jobId, e);
    }
  }

  private void remove(String jobId, JobOutcome outcome) {
    try {
      jobs.ended(jobId, outcome, List.of());
    } catch (RuntimeException | LinkageError e) { // Spark ends a process whose thread fails.
      LOG.warn("Leftovers of job {} could not be removed on this executor", jobId, e);
    } finally {
      beingRemoved.remove(jobId);
    }
  }

  /** Does nothing: the next round asks again. */
  @Override
  public void failed(Exception why) {
    LOG.debug("the driver did not say how jobs ended: {}", why.toString());
  }
}
