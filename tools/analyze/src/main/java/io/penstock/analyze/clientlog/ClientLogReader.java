/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.TextLines;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.bytes.Scan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the attempts from one log, in the order in which they began. The memory used does not grow
 * with the size of the log.
 */
final class ClientLogReader implements RequestReader {
  /** The start of the line that {@code yarn logs} writes before the logs of each container. */
  private static final byte[] OF_CONTAINER =
      "Container: container_".getBytes(StandardCharsets.US_ASCII);

  /** A task's id, as Spark's driver and executors write it where the task fails. */
  private static final Pattern TASK = Pattern.compile(" \\(TID \\d{1,12}\\)");

  /** The most bytes kept of a line: more than all headers that a client may send. */
  private static final int MAX_LINE = 256 << 10;

  private static final int FAILED = 300;
  private static final int MOST_IDS = 200_000;

  private static final String EXECUTING = "Executing request ";
  private static final String OPENING = "Opening connection ";
  private static final String SENDING = "Sending Request: ";
  private static final String RETRYING = "Retrying Request: ";
  private static final String CONNECTION = "http-outgoing-";

  private final TextLines lines;
  private final LineShape shape;
  private final ParseStatistics statistics;
  private final ClientFacts facts;
  private final OpenAttempts open = new OpenAttempts();
  private final LoggedHosts hosts = new LoggedHosts();
  private final AttemptRow rows = new AttemptRow(hosts);
  private LogPlace place;
  private LogPlace nextPlace;
  private boolean ended;

  /**
   * True if the log has lines of the HTTP client. Then these lines define the attempts, not the
   * SDK's.
   */
  private boolean logsClient;

  private ErrorTexts errors = new ErrorTexts();

  /** The task that was named last, and when. */
  private String lastTask = "";

  private long lastTaskMicros;

  /** The ids and the statuses of the failed attempts of this place: exceptions tell them again. */
  private final Set<String> failedIds = new HashSet<>();

  private final Set<Integer> failedStatuses = new HashSet<>();

  ClientLogReader(
      InputStream text,
      LogPlace place,
      ZoneId zone,
      ClientFacts facts,
      ParseStatistics statistics) {
    this.lines = new TextLines(text, MAX_LINE);
    this.shape = new LineShape(zone);
    this.place = place;
    this.nextPlace = place;
    this.facts = facts;
    this.statistics = statistics;
  }

  @Override
  public boolean next(RequestRow row) throws IOException {
    while (true) {
      boolean isOver = ended || !nextPlace.equals(place);
      LoggedAttempt attempt = isOver ? open.close() : open.surplus();
      if (attempt != null) {
        if (isRequest(attempt)) {
          row.clear();
          rows.fill(attempt, place, row);
          row.finish();
          return true;
        }
      } else if (ended) {
        tell();
        return false;
      } else if (!nextPlace.equals(place)) {
        tell();
        place = nextPlace;
      } else if (lines.next()) {
        line();
      } else {
        ended = true;
      }
    }
  }

  private boolean isRequest(LoggedAttempt attempt) {
    statistics.record();
    byte[] sample = attempt.target.line().getBytes(StandardCharsets.UTF_8);
    Optional<String> foreign = rows.foreign(attempt);
    if (foreign.isPresent()) {
      statistics.skip(foreign.get(), attempt.first.position(), sample, 0, sample.length);
      return false;
    }
    if (!attempt.executed && logsClient) {
      String reason = "prepared, but the HTTP client did not log that it sent it";
      statistics.skip(reason, attempt.first.position(), sample, 0, sample.length);
      return false;
    }
    statistics.request();
    if (attempt.status >= FAILED) {
      failedStatuses.add(attempt.status);
      if (attempt.requestId != null && failedIds.size() < MOST_IDS) {
        failedIds.add(attempt.requestId);
      }
    }
    return true;
  }

  private void line() {
    byte[] line = lines.line();
    int length = lines.length();
    if (Scan.find(line, 0, length, Colours.ESCAPE) < length) {
      line = Colours.without(line, length);
      length = line.length;
    }
    if (Scan.startsWith(line, 0, length, OF_CONTAINER)) {
      String text = new String(line, 0, Math.min(length, 200), StandardCharsets.UTF_8);
      nextPlace = LogPlace.of(text);
      return;
    }
    Optional<LogEvent> event = shape.read(line, length, lines.position());
    boolean isOfClient = event.isPresent() && event(event.get());
    if (!isOfClient && shape.mayTell(line, length)) {
      error(new String(line, 0, length, StandardCharsets.UTF_8));
    }
  }

  /** Hands on the errors of the place whose log ends here. */
  private void tell() {
    facts.errors(errors.without(failedIds, failedStatuses));
    errors = new ErrorTexts();
    failedIds.clear();
    failedStatuses.clear();
  }

  private void error(String text) {
    Matcher task = TASK.matcher(text);
    if (task.find()) {
      lastTask = task.group();
      lastTaskMicros = shape.lastMicros();
    }
    // The driver tells of a task's failure what its executor told before.
    String source =
        lastTaskMicros == shape.lastMicros() && !lastTask.isEmpty()
            ? place.app() + lastTask
            : place.app() + " " + place.exec() + " " + shape.lastMicros();
    errors.read(place.app(), place.exec(), shape.lastMicros(), text, source);
    facts.troubles().read(place.app(), shape.lastMicros(), text, source);
  }

  /** Takes an event in; returns false if it is not one of the SDK or its HTTP client. */
  private boolean event(LogEvent event) {
    switch (event.logger()) {
      case "MainClientExec" -> client(event);
      case "headers" -> header(event);
      case "request", "requestId" -> sdk(event);
      default -> {
        facts.event(event, place);
        return false;
      }
    }
    return true;
  }

  private void client(LogEvent event) {
    String message = event.message();
    if (message.startsWith(OPENING)) {
      hosts.opened(LoggedHeaders.after(message, "://"));
    } else if (message.startsWith(EXECUTING)) {
      logsClient = true;
      RequestTarget.of(message.substring(EXECUTING.length()))
          .ifPresentOrElse(target -> open.executing(event, target), () -> reject(event));
    }
  }

  /**
   * Reads {@code http-outgoing-7 >> Name: value}, a request header, or {@code <<}, an answer
   * header.
   */
  private void header(LogEvent event) {
    String message = event.message();
    int space = message.indexOf(' ');
    if (!message.startsWith(CONNECTION) || space < 0 || message.length() < space + 4) {
      return;
    }
    String connection = message.substring(0, space);
    String header = message.substring(space + 4);
    if (message.startsWith(" << ", space)) {
      open.on(connection)
          .ifPresent(
              attempt -> {
                LoggedHeaders.received(attempt, header, event);
                open.named(attempt);
              });
    } else if (isRequestLine(header)) {
      logsClient = true;
      RequestTarget.of(header)
          .ifPresentOrElse(target -> open.sent(event, connection, target), () -> reject(event));
    } else {
      open.on(connection).ifPresent(attempt -> LoggedHeaders.sent(attempt, header));
    }
  }

  private static boolean isRequestLine(String header) {
    int space = header.indexOf(' ');
    int colon = header.indexOf(':');
    return space > 0 && (colon < 0 || space < colon) && header.contains(" HTTP/");
  }

  private void sdk(LogEvent event) {
    String message = event.message();
    if (message.startsWith(SENDING)) {
      Prepared.of(message.substring(SENDING.length()))
          .ifPresentOrElse(request -> open.prepared(event, request), () -> reject(event));
    } else if (message.startsWith(RETRYING)) {
      Prepared.of(message.substring(RETRYING.length()))
          .ifPresentOrElse(
              request -> {
                open.repeated(request);
                open.prepared(event, request);
              },
              () -> reject(event));
    } else if (message.startsWith("Received ")) {
      // The logger requestId only repeats the id that the logger request writes.
      Answer.of(message)
          .filter(answer -> answer.requestId() != null || event.logger().equals("request"))
          .ifPresent(answer -> open.answered(event, answer));
    }
  }

  private void reject(LogEvent event) {
    statistics.record();
    byte[] sample = event.message().getBytes(StandardCharsets.UTF_8);
    statistics.reject("its request cannot be read", event.position(), sample, 0, sample.length);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
