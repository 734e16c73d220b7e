/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * The attempts that later lines may still add facts to. A line is matched to its attempt by the
 * request line, then by the connection or the thread, or by the request id. At most {@link #MOST}
 * attempts are kept; the log of a process with more requests in flight is not read correctly, but
 * no process has so many.
 */
final class OpenAttempts {
  static final int MOST = 8_192;
  private static final int MOST_UNPLACED = 64;

  private final ArrayDeque<LoggedAttempt> open = new ArrayDeque<>();
  private final Queues prepared = new Queues();
  private final Queues executed = new Queues();
  private final Map<String, LoggedAttempt> onConnection = new HashMap<>();
  private final Map<String, LoggedAttempt> ofThread = new HashMap<>();
  private final Map<String, LoggedAttempt> ofRequestId = new HashMap<>();
  private final ArrayDeque<Answer> unplaced = new ArrayDeque<>();

  /** Attempts in the order of their beginnings; the first of them has no answer. */
  private final ArrayDeque<LoggedAttempt> waiting = new ArrayDeque<>();

  /** True if the HTTP client logs, too: then its headers tell which attempt an answer is of. */
  private boolean logsClient;

  private static final class Queues {
    private final Map<String, ArrayDeque<LoggedAttempt>> byLine = new HashMap<>();

    void add(String line, LoggedAttempt attempt) {
      byLine.computeIfAbsent(line, key -> new ArrayDeque<>(2)).add(attempt);
    }

    LoggedAttempt take(String line) {
      ArrayDeque<LoggedAttempt> queue = byLine.get(line);
      LoggedAttempt first = queue == null ? null : queue.poll();
      forget(line, queue);
      return first;
    }

    void remove(String line, LoggedAttempt attempt) {
      ArrayDeque<LoggedAttempt> queue = line == null ? null : byLine.get(line);
      if (queue != null) {
        queue.remove(attempt);
        forget(line, queue);
      }
    }

    private void forget(String line, ArrayDeque<LoggedAttempt> queue) {
      if (queue != null && queue.isEmpty()) {
        byLine.remove(line);
      }
    }
  }

  /** Records that the SDK is about to send a request, for the first time or as a retry. */
  void prepared(LogEvent event, Prepared request) {
    LoggedAttempt attempt = begin(event, request.target());
    attempt.host = request.host();
    attempt.invocation = request.invocation();
    attempt.copy = request.copy();
    attempt.preparedAs = request.target().withoutQuery();
    prepared.add(attempt.preparedAs, attempt);
  }

  /**
   * Records a retry, which shows that an earlier attempt at the same request failed. The oldest
   * unmatched answer that causes retries is assigned to that attempt.
   */
  void repeated(Prepared request) {
    String line = request.target().withoutQuery();
    for (Iterator<Answer> answers = unplaced.iterator(); answers.hasNext(); ) {
      Answer answer = answers.next();
      if (answer.isRepeated()) {
        LoggedAttempt place = oldest(answer, line);
        if (place != null) {
          place(answer, place);
          answers.remove();
        }
        return;
      }
    }
  }

  /** Records that the HTTP client executes a request, and returns its attempt. */
  LoggedAttempt executing(LogEvent event, RequestTarget target) {
    if (!logsClient) {
      logsClient = true;
      waiting.clear();
    }
    LoggedAttempt attempt = prepared.take(target.withoutQuery());
    if (attempt == null) {
      attempt = begin(event, target);
    } else {
      attempt.target = target;
      thread(event, attempt);
    }
    attempt.executed = true;
    attempt.executedAs = target.line();
    executed.add(attempt.executedAs, attempt);
    return attempt;
  }

  /** Records that a request line was sent on a connection. */
  void sent(LogEvent event, String connection, RequestTarget target) {
    LoggedAttempt attempt = executed.take(target.line());
    if (attempt == null) {
      attempt = executing(event, target);
      executed.take(target.line());
    }
    attempt.executedAs = null;
    attempt.connection = connection;
    onConnection.put(connection, attempt);
  }

  Optional<LoggedAttempt> on(String connection) {
    return Optional.ofNullable(onConnection.get(connection));
  }

  /** Makes an attempt findable by its request id, if the id is known. */
  void named(LoggedAttempt attempt) {
    if (attempt.requestId != null) {
      ofRequestId.put(attempt.requestId, attempt);
    }
  }

  /** Records an answer whose line does not name the attempt. */
  void answered(LogEvent event, Answer answer) {
    LoggedAttempt known = answer.requestId() == null ? null : ofRequestId.get(answer.requestId());
    if (known == null && !event.thread().isEmpty()) {
      known = ofThread.get(event.thread());
    }
    if (known == null && event.thread().isEmpty()) {
      known = only(answer);
    }
    if (known != null) {
      place(answer, known);
    } else if (!answer.isSuccess() && !isUnplaced(answer)) {
      unplaced.add(answer);
      if (unplaced.size() > MOST_UNPLACED) {
        guess(unplaced.poll());
      }
    }
  }

  /** Returns the attempt that waits for an answer, if there is one only. */
  private LoggedAttempt only(Answer answer) {
    while (!waiting.isEmpty() && waiting.peek().isAnswered()) {
      waiting.poll();
    }
    return waiting.size() == 1 && answer.fits(waiting.peek()) ? waiting.peek() : null;
  }

  // SDK v2 logs the same failure twice. The attempt of a success is not guessed: it would take the
  // place of a failure, which the retry names.
  private boolean isUnplaced(Answer answer) {
    return answer.requestId() != null && unplaced.contains(answer);
  }

  private void place(Answer answer, LoggedAttempt attempt) {
    answer.on(attempt);
    named(attempt);
  }

  /**
   * Assigns the answer to the oldest attempt that it fits: clients mostly get answers in the order
   * of their requests.
   */
  private void guess(Answer answer) {
    LoggedAttempt place = oldest(answer, null);
    if (place != null) {
      place(answer, place);
    }
  }

  private LoggedAttempt oldest(Answer answer, String line) {
    for (LoggedAttempt attempt : open) {
      boolean isOfLine = line == null || line.equals(attempt.target.withoutQuery());
      if (isOfLine && answer.fits(attempt)) {
        return attempt;
      }
    }
    return null;
  }

  private LoggedAttempt begin(LogEvent event, RequestTarget target) {
    LoggedAttempt attempt = new LoggedAttempt(event, target);
    open.add(attempt);
    if (!logsClient && event.thread().isEmpty()) {
      waiting.add(attempt);
    }
    thread(event, attempt);
    return attempt;
  }

  private void thread(LogEvent event, LoggedAttempt attempt) {
    if (!event.thread().isEmpty()) {
      attempt.thread = event.thread();
      ofThread.put(event.thread(), attempt);
    }
  }

  /** Removes and returns the oldest attempt when there are too many; returns null otherwise. */
  LoggedAttempt surplus() {
    return open.size() > MOST ? close() : null;
  }

  /**
   * Removes and returns the oldest attempt; no later line can be matched to it any more. Returns
   * null when there is none.
   */
  LoggedAttempt close() {
    if (open.size() <= MOST) {
      while (!unplaced.isEmpty()) {
        guess(unplaced.poll());
      }
    }
    LoggedAttempt attempt = open.poll();
    if (attempt != null) {
      prepared.remove(attempt.preparedAs, attempt);
      if (attempt == waiting.peek()) {
        waiting.poll();
      }
      executed.remove(attempt.executedAs, attempt);
      onConnection.remove(attempt.connection, attempt);
      ofThread.remove(attempt.thread, attempt);
      ofRequestId.remove(attempt.requestId, attempt);
    }
    return attempt;
  }
}
