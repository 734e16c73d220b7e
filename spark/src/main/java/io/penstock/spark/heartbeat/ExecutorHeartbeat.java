/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread of an executor that talks with the driver. It collects what its sections have to
 * say, sends it as one message, and hands the answers back. An answer may take as long as {@code
 * spark.rpc.askTimeout}, which cannot be set for a single call; only this thread waits for it.
 */
public final class ExecutorHeartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorHeartbeat.class);

  /** The name of a section without content, by which an executor says that nothing follows. */
  public static final String LAST = "last";

  /** Sections are due at multiples of this, or more often if their own period is shorter. */
  private static final Duration PERIOD_MAX = Duration.ofMillis(500);

  /** Sends a message to the driver and returns its answer. */
  @FunctionalInterface
  public interface Asking {
    Object ask(Object message) throws Exception;
  }

  /** Sends a message to the driver without waiting for an answer. */
  @FunctionalInterface
  public interface Sending {
    void send(Object message) throws Exception;
  }

  private final String executor;
  private final List<Section> sections;
  private final Asking driver;
  private final Time time;
  private final Map<Section, Long> dueNanos = new LinkedHashMap<>();

  /**
   * @param executor the id by which the driver knows this process
   */
  public ExecutorHeartbeat(String executor, List<Section> sections, Asking driver, Time time) {
    this.executor = executor;
    this.sections = List.copyOf(sections);
    this.driver = driver;
    this.time = time;
  }

  /** Starts a thread for these sections; the caller closes it. Returns empty without sections. */
  public static Optional<Running> start(PluginContext context, Time time, List<Section> sections) {
    Optional<Duration> shortest =
        sections.stream().map(Section::period).min(Comparator.naturalOrder());
    ExecutorHeartbeat heartbeat =
        new ExecutorHeartbeat(context.executorID(), sections, context::ask, time);
    return shortest.map(
        period ->
            new Running(
                heartbeat,
                PeriodicThread.start(
                    "penstock-heartbeat",
                    "This executor cannot exchange messages with the driver now",
                    period.compareTo(PERIOD_MAX) < 0 ? period : PERIOD_MAX,
                    time,
                    heartbeat::beat),
                context::send));
  }

  /** A heartbeat with its thread. */
  public record Running(ExecutorHeartbeat heartbeat, PeriodicThread thread, Sending driver)
      implements AutoCloseable {
    /**
     * Ends the thread, and tells what is left to tell. Does not wait for the driver, which may be
     * gone already.
     */
    @Override
    public void close() {
      thread.close();
      try {
        heartbeat.last(driver);
      } catch (Exception | LinkageError e) {
        LOG.debug("the last message of this executor was not sent: {}", e.toString());
      }
    }
  }

  /** Sends what the sections have to tell that need no answer, whether it is due or not. */
  void last(Sending to) throws Exception {
    Map<String, byte[]> messages = new LinkedHashMap<>();
    synchronized (this) {
      sections.stream()
          .filter(Section::tellsLast)
          .forEach(section -> collect(section, messages, new ArrayList<>()));
    }
    messages.put(LAST, new byte[0]);
    to.send(new Envelope(executor, messages).toBytes());
  }

  /** Sends what is due, and waits for the answer. Sends nothing if nobody has anything to say. */
  public void beat() throws InterruptedException {
    Map<String, byte[]> questions = new LinkedHashMap<>();
    List<Section> asking = new ArrayList<>();
    synchronized (this) {
      for (Section section : sections) {
        if (isDue(section)) {
          collect(section, questions, asking);
        }
      }
    }
    if (asking.isEmpty()) {
      return;
    }
    Envelope answer;
    try {
      answer = Envelope.of(driver.ask(new Envelope(executor, questions).toBytes()));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | LinkageError e) {
      asking.forEach(section -> section.failed(asException(e)));
      return;
    }
    asking.forEach(section -> handBack(section, answer));
  }

  private static Exception asException(Throwable failure) {
    return failure instanceof Exception known ? known : new IOException(failure);
  }

  private boolean isDue(Section section) {
    long now = time.nowNanos();
    Long due = dueNanos.get(section);
    // A tenth early is on time: the thread's own period is not exact.
    if (due != null && now < due - section.period().toNanos() / 10) {
      return false;
    }
    dueNanos.put(section, now + section.period().toNanos());
    return true;
  }

  private static void collect(
      Section section, Map<String, byte[]> questions, List<Section> asking) {
    try {
      section
          .question()
          .ifPresent(
              question -> {
                questions.put(section.name(), question);
                asking.add(section);
              });
    } catch (Exception | LinkageError e) { // One section must not silence the others.
      section.failed(asException(e));
    }
  }

  private static void handBack(Section section, Envelope envelope) {
    byte[] answer = envelope.sections().get(section.name());
    if (answer == null) {
      String why =
          "the driver gave no answer about " + section.name() + "; the driver's log may say why";
      section.failed(new IOException(why));
      return;
    }
    try {
      section.answered(answer);
    } catch (Exception | LinkageError e) {
      section.failed(asException(e));
    }
  }
}
