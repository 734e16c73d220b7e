/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.life.Jobs;
import io.penstock.spark.heartbeat.DriverSection;
import java.io.IOException;

/**
 * Tells executors how the jobs have ended that have written there.
 *
 * @param jobs of this driver
 */
public record DriverJobs(Jobs jobs) implements DriverSection {
  @Override
  public String name() {
    return ExecutorJobs.JOBS;
  }

  @Override
  public byte[] answer(String executor, byte[] question) throws IOException {
    return JobMessages.answer(jobs.outcomes(JobMessages.readQuestion(question)));
  }
}
