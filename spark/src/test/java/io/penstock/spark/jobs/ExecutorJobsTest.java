/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.life.JobOutcome;
import io.penstock.core.commit.life.Jobs;
import io.penstock.core.commit.life.PendingFile;
import io.penstock.core.config.Settings;
import io.penstock.core.golden.Golden;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import io.penstock.core.upload.PendingWriter;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import io.penstock.spark.heartbeat.DriverHeartbeat;
import io.penstock.spark.heartbeat.ExecutorHeartbeat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutorJobsTest {
  private final Jobs jobs = new Jobs();
  private final Jobs jobsOfDriver = new Jobs();
  private final DriverHeartbeat driver = new DriverHeartbeat(List.of(new DriverJobs(jobsOfDriver)));
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final List<Object> questions = new ArrayList<>();
  private boolean isThereADriver = true;
  private final ExecutorHeartbeat heartbeat =
      new ExecutorHeartbeat("1", List.of(new ExecutorJobs(jobs, Runnable::run)), this::ask, time);

  private Object ask(Object question) throws IOException {
    questions.add(question);
    if (!isThereADriver) {
      throw new IOException("no driver");
    }
    return driver.receive(question);
  }

  private void writes(String jobId) throws IOException {
    Uploader uploader =
        new Uploader(
            new InMemoryStore("lake", time),
            Runnable::run,
            UploadConfig.from(Settings.of(Map.of())),
            new UploadRoom());
    PendingWriter writer = uploader.writePending("t/part-0", jobId);
    jobs.add(new Segment(jobId, "1"), new PendingFile("lake", "t/part-0", writer));
  }

  private void round() throws InterruptedException {
    time.advance(Duration.ofSeconds(2));
    heartbeat.beat();
  }

  @Test
  void nothingIsAskedWhileNoJobHasWrittenHere() throws InterruptedException {
    round();
    assertThat(questions).isEmpty();
  }

  @Test
  void aJobIsAskedForUntilItHasEnded() throws Exception {
    writes("job-of-this-test");
    writes("job-that-goes-on");
    round();
    assertThat(jobs.openJobs()).containsExactlyInAnyOrder("job-of-this-test", "job-that-goes-on");

    jobsOfDriver.ended("job-of-this-test", JobOutcome.ABORTED, List.of());
    round();

    assertThat(jobs.openJobs()).containsExactly("job-that-goes-on");
    assertThat(questions).hasSize(2);
  }

  @Test
  void aDriverThatDoesNotAnswerIsAskedAgain() throws Exception {
    writes("job");
    isThereADriver = false;
    round();
    assertThat(jobs.openJobs()).containsExactly("job");
    isThereADriver = true;
    round();
    assertThat(questions).hasSize(2);
  }

  @Test
  void messagesOfThisVersionAreReadForEver() throws IOException {
    byte[] question = Golden.bytes("jobs-question-1", JobMessages.question(List.of("job-1")));
    assertThat(JobMessages.readQuestion(question)).containsExactly("job-1");
    Map<String, JobOutcome> outcomes = Map.of("job-1", JobOutcome.COMMITTED);
    byte[] answer = Golden.bytes("jobs-answer-1", JobMessages.answer(outcomes));
    assertThat(JobMessages.readAnswer(answer)).isEqualTo(outcomes);
  }

  @Test
  void aMessageOfAnotherVersionNamesTheJar() throws IOException {
    byte[] question = JobMessages.question(List.of("job"));
    question[1]++;
    assertThatThrownBy(() -> new DriverJobs(jobsOfDriver).answer("1", question))
        .hasMessageContaining("need the same penstock-spark.jar");
  }
}
