/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import io.penstock.core.commit.JobEnds;
import io.penstock.core.commit.Leftovers;
import io.penstock.core.commit.Leftovers.JobOutcome;
import io.penstock.core.stack.Engine;
import io.penstock.spark.periodic.PeriodicThread;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the driver, from an executor, about the end of the jobs that have written in this process.
 * Then removes their leftovers: uploads that a task handed over after the abort of its job had
 * begun. Asks only while there are such jobs.
 */
public final class ExecutorJobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorJobs.class);

  /**
   * The time between two questions. The period can be long, because leftovers cost only a little
   * storage.
   */
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final PeriodicThread thread;

  private ExecutorJobs(PeriodicThread thread) {
    this.thread = thread;
  }

  /** Asks the driver about jobs. */
  @FunctionalInterface
  interface Asking {
    Object ask(Object question) throws Exception;
  }

  /**
   * Starts the questions. Returns empty in local mode, where the driver's own process runs the
   * tasks.
   */
  public static Optional<ExecutorJobs> start(Engine engine, PluginContext context) {
    if (context.executorID().equals("driver")) {
      return Optional.empty();
    }
    return Optional.of(
        new ExecutorJobs(
            PeriodicThread.start(
                "penstock-jobs",
                "What is left of ended jobs is not removed here",
                PERIOD,
                engine.time(),
                () -> round(engine.leftovers(), context::ask))));
  }

  /** Sends one question and applies the answer. Does nothing while no job has written here. */
  static void round(Leftovers leftovers, Asking driver) throws InterruptedException {
    Set<String> open = leftovers.openJobs();
    if (open.isEmpty()) {
      return;
    }
    try {
      if (!(driver.ask(JobMessages.question(open)) instanceof byte[] answer)) {
        throw new IOException("the driver's answer is no message of Penstock");
      }
      Map<String, JobOutcome> outcomes = JobMessages.readAnswer(answer);
      outcomes.forEach((jobId, outcome) -> leftovers.ended(jobId, outcome, List.of()));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      // The next round asks again.
      LOG.debug("the driver did not say how jobs ended: {}", e.toString());
    }
  }

  /** Returns true if a message to the driver is a question about jobs. */
  public static boolean isQuestion(Object message) {
    return message instanceof byte[] bytes && JobMessages.isQuestion(bytes);
  }

  /**
   * Returns the driver's answer to a question.
   *
   * @param message for which {@link #isQuestion} returned true
   * @throws IOException when the question is damaged, or of another version of Penstock
   */
  public static Object answer(Object message, JobEnds ends) throws IOException {
    return JobMessages.answer(ends.of(JobMessages.readQuestion((byte[]) message)));
  }

  @Override
  public void close() {
    thread.close();
  }
}
