/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.errortext.Troubles;
import io.penstock.tables.bytes.Scan;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Splits a line of a log into its fields. Supported are the layouts of Spark, Hadoop and Logback,
 * Spark's structured logs, and each of these inside the wrappers of Kubernetes and Docker. Lines
 * that neither an S3 client nor a YARN application writes are skipped early.
 */
final class LineShape {
  private static final byte[] DEBUG = ascii(" DEBUG ");
  private static final byte[] INFO = ascii(" INFO ");
  private static final byte[] OUT = ascii(" stdout ");
  private static final byte[] ERR = ascii(" stderr ");
  private static final byte[][] OF_CLIENT = {
    ascii("headers"), ascii("MainClientExec"), ascii("request"), ascii("requestId")
  };
  private static final byte[][] OF_YARN = {ascii("ApplicationMaster")};

  /**
   * The level is searched in this many bytes of the line, which is enough for long names of
   * threads.
   */
  private static final int MAX_TO_LEVEL = 300;

  private static final int STREAM_TAG = ERR.length + 2;
  private static final int MAX_WRAPPINGS = 3;

  private static final byte[] FRAME = ascii("\tat ");
  private static final byte[][] TELLING =
      Stream.concat(Stream.of("Status Code: "), Troubles.marks())
          .map(LineShape::ascii)
          .toArray(byte[][]::new);

  /**
   * The text that {@code kubectl logs --prefix} begins each line with, up to a bracket and a blank.
   */
  private static final byte[] POD = ascii("[pod/");

  private static final byte[][] TIMES = {ascii("\"ts\":\""), ascii("\"time\":\"")};

  private final TimeText time;
  private long lastMicros;

  LineShape(ZoneId zone) {
    time = new TimeText(zone);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns true if a line may name an answer of S3 or another trouble. If the line is JSON, its
   * time becomes the last one.
   */
  boolean mayTell(byte[] line, int length) {
    if (Scan.startsWith(line, 0, length, FRAME) || !hasAny(line, 0, length, TELLING)) {
      return false;
    }
    for (byte[] name : TIMES) {
      int at = line[0] == '{' ? Scan.indexOf(line, 0, length, name) : -1;
      if (at >= 0 && time.read(line, at + name.length, length)) {
        lastMicros = time.micros();
      }
    }
    return true;
  }

  /** Returns the time of the last line that had one, in microseconds since 1970 UTC; or 0. */
  long lastMicros() {
    return lastMicros;
  }

  /** Returns the event of a line; empty when no reader needs the line. */
  Optional<LogEvent> read(byte[] line, int length, long position) {
    return read(line, 0, length, position, MAX_WRAPPINGS);
  }

  private Optional<LogEvent> read(byte[] line, int start, int end, long position, int wrappings) {
    if (start >= end || wrappings == 0) {
      return Optional.empty();
    }
    if (line[start] == '{') {
      return json(line, start, end, position, wrappings);
    }
    if (Scan.startsWith(line, start, end, POD)) {
      int close = Scan.indexOf(line, start, end, ascii("] "));
      return close < 0 ? Optional.empty() : read(line, close + 2, end, position, wrappings - 1);
    }
    if (line[start] < '0' || line[start] > '9' || !time.read(line, start, end)) {
      return Optional.empty();
    }
    lastMicros = time.micros();
    int from = time.end();
    if (Scan.startsWith(line, from, end, OUT) || Scan.startsWith(line, from, end, ERR)) {
      // Kubernetes marks a whole line with F, and a fragment of a line that was too long with P.
      return read(line, from + STREAM_TAG, end, position, wrappings - 1);
    }
    int levelEnd = Math.min(end, from + MAX_TO_LEVEL);
    int debug = Scan.indexOf(line, from, levelEnd, DEBUG);
    if (debug >= 0) {
      return event(line, debug + DEBUG.length, end, OF_CLIENT)
          .map(event -> event.by(thread(text(line, from, debug)), position));
    }
    int info = Scan.indexOf(line, from, levelEnd, INFO);
    return info < 0
        ? Optional.empty()
        : event(line, info + INFO.length, end, OF_YARN).map(event -> event.by("", position));
  }

  /** Reads {@code logger[ (place)]: message}; " - " or " -" may stand instead of the colon. */
  private Optional<LogEvent> event(byte[] line, int start, int end, byte[][] loggers) {
    int name = start;
    while (name < end && line[name] == ' ') {
      name++;
    }
    int nameEnd = name;
    while (nameEnd < end && line[nameEnd] != ' ' && line[nameEnd] != ':') {
      if (line[nameEnd] == '.') {
        name = nameEnd + 1;
      }
      nameEnd++;
    }
    for (byte[] logger : loggers) {
      if (Arrays.equals(line, name, nameEnd, logger, 0, logger.length)) {
        String message = text(line, message(line, nameEnd, end), end);
        String known = text(logger, 0, logger.length);
        return Optional.of(new LogEvent(time.micros(), time.hasMillis(), "", known, message, -1));
      }
    }
    return Optional.empty();
  }

  private static int message(byte[] line, int nameEnd, int end) {
    int at = nameEnd;
    if (at + 1 < end && line[at] == ' ' && (line[at + 1] == '(' || line[at + 1] == '[')) {
      int close = Scan.indexOf(line, at, end, line[at + 1] == '(' ? ascii(") ") : ascii("] "));
      at = close < 0 ? at : close + 1;
    }
    if (at < end && line[at] == ':') {
      do {
        at++; // and the number of the line in the source
      } while (at < end && line[at] >= '0' && line[at] <= '9');
    }
    while (at < end && (line[at] == ' ' || line[at] == ':' || line[at] == '-')) {
      at++;
    }
    return at;
  }

  private static String thread(String text) {
    String name = text.strip();
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  private static String lastPart(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  private Optional<LogEvent> json(byte[] line, int start, int end, long position, int wrappings) {
    if (!hasAny(line, start, end, OF_CLIENT) && !hasAny(line, start, end, OF_YARN)) {
      return Optional.empty();
    }
    Map<String, Object> fields;
    try {
      fields = Json.parseObject(text(line, start, end));
    } catch (IOException e) {
      return Optional.empty();
    }
    Optional<String> inner = Json.text(fields.get("log"));
    if (inner.isPresent()) {
      byte[] bytes = inner.get().stripTrailing().getBytes(StandardCharsets.UTF_8);
      return read(bytes, 0, bytes.length, position, wrappings - 1);
    }
    byte[] stamp = ascii(Json.text(fields.get("ts")).orElse(""));
    Optional<String> message = Json.text(fields.get("msg"));
    if (message.isEmpty() || !time.read(stamp, 0, stamp.length)) {
      return Optional.empty();
    }
    return Optional.of(
        new LogEvent(
            time.micros(),
            time.hasMillis(),
            Json.text(fields.get("thread")).orElse(""),
            lastPart(Json.text(fields.get("logger")).orElse("")),
            message.get(),
            position));
  }

  private static String text(byte[] line, int start, int end) {
    return start >= end ? "" : new String(line, start, end - start, StandardCharsets.UTF_8);
  }

  private static boolean hasAny(byte[] line, int start, int end, byte[][] words) {
    for (byte[] word : words) {
      if (Scan.indexOf(line, start, end, word) >= 0) {
        return true;
      }
    }
    return false;
  }
}
