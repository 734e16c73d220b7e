/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * The attempts that lines may still say more about, and how lines find theirs: by the request line,
 * then by the name of the connection or the thread, or by the request id. As many as are kept, the
 * log of a process that has more in flight than that is not read well; none has.
 */
final class OpenAttempts {
  static final int MOST = 8_192;
  private static final int MOST_UNPLACED = 64;

  private final ArrayDeque<Attempt> open = new ArrayDeque<>();
  private final Queues prepared = new Queues();
  private final Queues executed = new Queues();
  private final Map<String, Attempt> onConnection = new HashMap<>();
  private final Map<String, Attempt> ofThread = new HashMap<>();
  private final Map<String, Attempt> ofRequestId = new HashMap<>();
  private final ArrayDeque<Answer> unplaced = new ArrayDeque<>();

  private static final class Queues {
    private final Map<String, ArrayDeque<Attempt>> byLine = new HashMap<>();

    void add(String line, Attempt attempt) {
      byLine.computeIfAbsent(line, key -> new ArrayDeque<>(2)).add(attempt);
    }

    Attempt take(String line) {
      ArrayDeque<Attempt> queue = byLine.get(line);
      Attempt first = queue == null ? null : queue.poll();
      forget(line, queue);
      return first;
    }

    void remove(String line, Attempt attempt) {
      ArrayDeque<Attempt> queue = line == null ? null : byLine.get(line);
      if (queue != null) {
        queue.remove(attempt);
        forget(line, queue);
      }
    }

    private void forget(String line, ArrayDeque<Attempt> queue) {
      if (queue != null && queue.isEmpty()) {
        byLine.remove(line);
      }
    }
  }

  /** The SDK is about to send it, once more or for the first time. */
  void prepared(LogEvent event, Prepared request) {
    Attempt attempt = begin(event, request.target());
    attempt.host = request.host();
    attempt.invocation = request.invocation();
    attempt.copy = request.copy();
    attempt.preparedAs = request.target().withoutQuery();
    prepared.add(attempt.preparedAs, attempt);
  }

  /** An attempt at the same was not answered well: the oldest of the answers of unknown place. */
  void repeated(Prepared request) {
    String line = request.target().withoutQuery();
    for (Iterator<Answer> answers = unplaced.iterator(); answers.hasNext(); ) {
      Answer answer = answers.next();
      if (answer.isRepeated()) {
        Attempt place = oldest(answer, line);
        if (place != null) {
          place(answer, place);
          answers.remove();
        }
        return;
      }
    }
  }

  /** The HTTP client sends it. */
  Attempt executing(LogEvent event, Target target) {
    Attempt attempt = prepared.take(target.withoutQuery());
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

  /** Its request line went out on a connection. */
  void sent(LogEvent event, String connection, Target target) {
    Attempt attempt = executed.take(target.line());
    if (attempt == null) {
      attempt = executing(event, target);
      executed.take(target.line());
    }
    attempt.executedAs = null;
    attempt.connection = connection;
    onConnection.put(connection, attempt);
  }

  Optional<Attempt> on(String connection) {
    return Optional.ofNullable(onConnection.get(connection));
  }

  /** Its request id became known. */
  void named(Attempt attempt) {
    if (attempt.requestId != null) {
      ofRequestId.put(attempt.requestId, attempt);
    }
  }

  /** An answer came, to an attempt that its line does not name. */
  void answered(LogEvent event, Answer answer) {
    Attempt known = answer.requestId() == null ? null : ofRequestId.get(answer.requestId());
    if (known == null && !event.thread().isEmpty()) {
      known = ofThread.get(event.thread());
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

  // SDK v2 says the same failure twice. A success is not guessed at: it changes no count.
  private boolean isUnplaced(Answer answer) {
    return answer.requestId() != null && unplaced.contains(answer);
  }

  private void place(Answer answer, Attempt attempt) {
    answer.on(attempt);
    named(attempt);
  }

  /** The oldest that it may be an answer to: clients mostly get theirs in the order of asking. */
  private void guess(Answer answer) {
    Attempt place = oldest(answer, null);
    if (place != null) {
      place(answer, place);
    }
  }

  private Attempt oldest(Answer answer, String line) {
    for (Attempt attempt : open) {
      boolean isOfLine = line == null || line.equals(attempt.target.withoutQuery());
      if (isOfLine && answer.fits(attempt)) {
        return attempt;
      }
    }
    return null;
  }

  private Attempt begin(LogEvent event, Target target) {
    Attempt attempt = new Attempt(event, target);
    open.add(attempt);
    thread(event, attempt);
    return attempt;
  }

  private void thread(LogEvent event, Attempt attempt) {
    if (!event.thread().isEmpty()) {
      attempt.thread = event.thread();
      ofThread.put(event.thread(), attempt);
    }
  }

  /** The oldest when there are too many; null when there are not. */
  Attempt surplus() {
    return open.size() > MOST ? close() : null;
  }

  /** The oldest, about which nothing more is known; null when there is none. */
  Attempt close() {
    if (open.size() <= MOST) {
      while (!unplaced.isEmpty()) {
        guess(unplaced.poll());
      }
    }
    Attempt attempt = open.poll();
    if (attempt != null) {
      prepared.remove(attempt.preparedAs, attempt);
      executed.remove(attempt.executedAs, attempt);
      onConnection.remove(attempt.connection, attempt);
      ofThread.remove(attempt.thread, attempt);
      ofRequestId.remove(attempt.requestId, attempt);
    }
    return attempt;
  }
}
