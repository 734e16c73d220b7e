/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.golden.Golden;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One message between an executor and the driver, with sections. */
class HeartbeatTest {
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final List<Object> messages = new ArrayList<>();

  /** Says its name, and notes what it hears. */
  private static final class Talking implements Section {
    private final String name;
    private final Duration period;
    private final List<String> heard = new ArrayList<>();
    private boolean isSilent;
    private boolean tellsLast;

    Talking(String name, Duration period) {
      this.name = name;
      this.period = period;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Duration period() {
      return period;
    }

    @Override
    public boolean tellsLast() {
      return tellsLast;
    }

    @Override
    public Optional<byte[]> question() {
      return isSilent ? Optional.empty() : Optional.of(("I am " + name).getBytes(UTF_8));
    }

    @Override
    public void answered(byte[] answer) {
      String text = new String(answer, UTF_8);
      if (text.isEmpty()) {
        throw new IllegalStateException("a fault");
      }
      heard.add(text);
    }

    @Override
    public void failed(Exception why) {
      heard.add("failed: " + why.getMessage());
    }
  }

  private interface Answer {
    String to(String executor, String question) throws IOException;
  }

  private static DriverSection answering(String name, Answer answer) {
    return new DriverSection() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public byte[] answer(String executor, byte[] question) throws IOException {
        return answer.to(executor, new String(question, UTF_8)).getBytes(UTF_8);
      }
    };
  }

  private final Talking rates = new Talking("rates", Duration.ofMillis(500));
  private final Talking jobs = new Talking("jobs", Duration.ofSeconds(2));

  private void beat(DriverHeartbeat driver, int times) throws InterruptedException {
    ExecutorHeartbeat heartbeat =
        new ExecutorHeartbeat(
            "7",
            List.of(rates, jobs),
            message -> {
              messages.add(message);
              return driver.receive(message);
            },
            time);
    for (int i = 0; i < times; i++) {
      heartbeat.beat();
      time.advance(Duration.ofMillis(500));
    }
  }

  @Test
  void allSectionsThatAreDueGoInOneMessage() throws InterruptedException {
    DriverHeartbeat driver =
        new DriverHeartbeat(
            List.of(
                answering("rates", (from, question) -> from + " says " + question),
                answering("jobs", (from, question) -> "jobs of " + from)));
    beat(driver, 5);
    assertThat(messages).hasSize(5);
    assertThat(rates.heard).hasSize(5).containsOnly("7 says I am rates");
    assertThat(jobs.heard).containsExactly("jobs of 7", "jobs of 7");
  }

  @Test
  void nothingIsSentWhileNobodyHasAnythingToSay() throws InterruptedException {
    rates.isSilent = true;
    jobs.isSilent = true;
    beat(new DriverHeartbeat(List.of()), 5);
    assertThat(messages).isEmpty();
  }

  @Test
  void aSectionThatTheOtherSideDoesNotKnowOrCannotReadHarmsNoOther() throws InterruptedException {
    beat(new DriverHeartbeat(List.of(answering("jobs", (from, question) -> "known"))), 1);
    String noAnswer = "failed: the driver gave no answer about rates; the driver's log may say why";
    assertThat(rates.heard).containsExactly(noAnswer);
    assertThat(jobs.heard).containsExactly("known");

    DriverSection damaged =
        answering(
            "rates",
            (from, question) -> {
              throw new IllegalArgumentException("no such mode");
            });
    rates.heard.clear();
    beat(new DriverHeartbeat(List.of(damaged, answering("jobs", (from, question) -> ""))), 1);
    assertThat(rates.heard).containsExactly(noAnswer);
    assertThat(jobs.heard).containsExactly("known", "failed: a fault");
  }

  @Test
  void withoutADriverEachSectionThatAskedLearnsIt() throws InterruptedException {
    ExecutorHeartbeat heartbeat =
        new ExecutorHeartbeat(
            "7",
            List.of(rates, jobs),
            message -> {
              throw new IOException("Connection refused");
            },
            time);
    jobs.isSilent = true;
    heartbeat.beat();
    assertThat(rates.heard).containsExactly("failed: Connection refused");
    assertThat(jobs.heard).isEmpty();
  }

  @Test
  void aHeartbeatOfThisVersionIsReadForEver() throws IOException {
    Envelope one = new Envelope("7", Map.of("rates", new byte[] {1, 2, 3}));
    Envelope kept = Envelope.of(Golden.bytes("heartbeat-1", one.toBytes()));
    assertThat(kept.from()).isEqualTo("7");
    assertThat(kept.sections().get("rates")).containsExactly(1, 2, 3);
  }

  @Test
  void whatIsNoHeartbeatIsRefusedByName() throws IOException {
    assertThatThrownBy(() -> Envelope.of("text")).hasMessageContaining("not a message");
    byte[] later = new Envelope("7", Map.of()).toBytes();
    later[1] = 9;
    assertThatThrownBy(() -> Envelope.of(later))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 9")
        .hasMessageContaining("the same penstock-spark.jar");
    byte[] damaged = new Envelope("7", Map.of("rates", new byte[9])).toBytes();
    damaged[damaged.length - 13] = 127; // the length of its only section
    assertThatThrownBy(() -> Envelope.of(damaged)).hasMessageContaining("only 9 bytes are left");
    // The driver goes on, and an executor of this version hears that there is no answer.
    Object answer = new DriverHeartbeat(List.of()).receive(later);
    assertThat(Envelope.of(answer).sections()).isEmpty();
  }

  @Test
  void theLastMessageHasWhatNeedsNoAnswer() throws Exception {
    jobs.tellsLast = true;
    ExecutorHeartbeat heartbeat =
        new ExecutorHeartbeat("7", List.of(rates, jobs), message -> null, time);
    List<String> asked = new ArrayList<>();
    DriverHeartbeat driver =
        new DriverHeartbeat(
            List.of(
                answering("rates", (from, question) -> noted(asked, "rates")),
                answering("jobs", (from, question) -> noted(asked, "jobs")),
                answering("last", (from, question) -> noted(asked, "last of " + from))));
    List<Object> answers = new ArrayList<>();

    heartbeat.last(message -> answers.add(driver.receive(message)));

    assertThat(asked).containsExactly("jobs", "last of 7");
    // Spark warns about an answer to a message whose sender does not wait for one.
    assertThat(answers).containsExactly((Object) null);
  }

  private static String noted(List<String> asked, String what) {
    asked.add(what);
    return "";
  }
}
