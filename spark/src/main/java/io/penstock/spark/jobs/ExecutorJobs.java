/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.life.Leftovers;
import io.penstock.spark.heartbeat.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  private final Leftovers leftovers;

  public ExecutorJobs(Leftovers leftovers) {
    this.leftovers = leftovers;
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
    Set<String> open = leftovers.openJobs();
    return open.isEmpty() ? Optional.empty() : Optional.of(JobMessages.question(open));
  }

  @Override
  public void answered(byte[] answer) throws IOException {
    JobMessages.readAnswer(answer)
        .forEach((jobId, outcome) -> leftovers.ended(jobId, outcome, List.of()));
  }

  /** Does nothing: the next round asks again. */
  @Override
  public void failed(Exception why) {
    LOG.debug("the driver did not say how jobs ended: {}", why.toString());
  }
}
