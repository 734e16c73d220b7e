/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.life.JobEnds;
import io.penstock.spark.heartbeat.DriverSection;
import java.io.IOException;

/**
 * Tells executors how the jobs have ended that have written there.
 *
 * @param ends of the jobs of this driver
 */
public record DriverJobs(JobEnds ends) implements DriverSection {
  @Override
  public String name() {
    return ExecutorJobs.JOBS;
  }

  @Override
  public byte[] answer(String executor, byte[] question) throws IOException {
    return JobMessages.answer(ends.of(JobMessages.readQuestion(question)));
  }
}
