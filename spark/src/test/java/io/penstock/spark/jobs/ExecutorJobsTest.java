/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.JobEnds;
import io.penstock.core.commit.Leftovers;
import io.penstock.core.commit.Leftovers.JobOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutorJobsTest {
  private final Leftovers leftovers = new Leftovers();
  private final JobEnds ends = new JobEnds(new Leftovers());
  private final List<Object> questions = new ArrayList<>();

  private void round() throws InterruptedException {
    ExecutorJobs.round(
        leftovers,
        question -> {
          questions.add(question);
          assertThat(ExecutorJobs.isQuestion(question)).isTrue();
          return ExecutorJobs.answer(question, ends);
        });
  }

  @Test
  void nothingIsAskedWhileNoJobHasWrittenHere() throws InterruptedException {
    round();
    assertThat(questions).isEmpty();
  }

  @Test
  void aJobIsAskedForUntilItHasEnded() throws InterruptedException {
    leftovers.takesPart("job-of-this-test");
    leftovers.takesPart("job-that-goes-on");
    round();
    assertThat(leftovers.openJobs())
        .containsExactlyInAnyOrder("job-of-this-test", "job-that-goes-on");

    ends.ended("job-of-this-test", JobOutcome.ABORTED, List.of());
    round();

    assertThat(leftovers.openJobs()).containsExactly("job-that-goes-on");
    assertThat(questions).hasSize(2);
  }

  @Test
  void aDriverThatDoesNotAnswerIsAskedAgain() throws InterruptedException {
    leftovers.takesPart("job");
    ExecutorJobs.round(
        leftovers,
        question -> {
          throw new IOException("no driver");
        });
    assertThat(leftovers.openJobs()).containsExactly("job");
  }

  @Test
  void aMessageOfAnotherVersionNamesTheJar() throws IOException {
    byte[] question = JobMessages.question(List.of("job"));
    question[1]++;
    assertThatThrownBy(() -> ExecutorJobs.answer(question, ends))
        .hasMessageContaining("need the same penstock-spark.jar");
  }

  @Test
  void messagesOfRatesAreNotQuestionsOfThisSort() {
    assertThat(ExecutorJobs.isQuestion(new byte[] {'R', 1})).isFalse();
    assertThat(ExecutorJobs.isQuestion("text")).isFalse();
  }
}
