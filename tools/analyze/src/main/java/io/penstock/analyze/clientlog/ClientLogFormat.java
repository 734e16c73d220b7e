/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The logs of Spark's drivers, executors and YARN containers, where the AWS SDK or its HTTP client
 * writes each attempt at DEBUG. S3A and EMRFS write the same lines under other packages.
 *
 * <p>If the log has the HTTP client's headers (loggers {@code MainClientExec} and {@code headers}),
 * the answer of every attempt is known. If not, only the SDK's own lines (logger {@code request})
 * show answers, and these lines do not name the attempt. If the log's layout has the thread's name,
 * the attempt is found by it. Otherwise the number of throttled answers is right, but some may be
 * counted for another call.
 */
public final class ClientLogFormat implements LogFormat {
  private static final int HEAD_LINES = 400;
  private static final Pattern LEVEL =
      Pattern.compile(
          " (?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) | [\\w.]{3,} \\[(?:DEBUG|INFO|WARNING|ERROR)\\]"
              + " ");
  private static final Pattern STRUCTURED =
      Pattern.compile("^\\{\"ts\":\"[^\"]*\",\"level\":\"[A-Z]+\",\"msg\":");
  private static final Pattern DOCKER = Pattern.compile("^\\{\"log\":\"\\d\\d.*\"stream\":\"std");

  private final ZoneId zone;
  private final ClientFacts facts;
  private final LogPlace place;

  /**
   * @param zone the time zone of the logs, which do not name it; UTC when it is unknown
   * @param facts receives the other facts in the logs
   */
  public ClientLogFormat(ZoneId zone, ClientFacts facts) {
    this(zone, facts, LogPlace.UNKNOWN);
  }

  public ClientLogFormat(ClientFacts facts) {
    this(ZoneOffset.UTC, facts);
  }

  private ClientLogFormat(ZoneId zone, ClientFacts facts, LogPlace place) {
    this.zone = zone;
    this.facts = facts;
    this.place = place;
  }

  /**
   * Returns the format for a log at a path. The directories of the path identify the application
   * and the executor.
   */
  @Override
  public ClientLogFormat at(String path) {
    return new ClientLogFormat(zone, facts, LogPlace.of(path));
  }

  @Override
  public String title() {
    return "log of a container or process";
  }

  @Override
  public boolean matches(Head head) {
    TimeText time = new TimeText(ZoneOffset.UTC);
    return head.lines(HEAD_LINES).stream().anyMatch(line -> isOfLog(line, time));
  }

  private static boolean isOfLog(String line, TimeText time) {
    if (line.startsWith("{")) {
      return STRUCTURED.matcher(line).find() || DOCKER.matcher(line).find();
    }
    byte[] coloured = line.getBytes(StandardCharsets.ISO_8859_1);
    byte[] bytes = Colours.without(coloured, coloured.length);
    String inner = new String(bytes, StandardCharsets.ISO_8859_1);
    if (inner.startsWith("[pod/")) {
      inner = inner.substring(inner.indexOf("] ") + 1).strip();
      bytes = inner.getBytes(StandardCharsets.ISO_8859_1);
    }
    return time.read(bytes, 0, bytes.length) && LEVEL.matcher(inner).find(time.end());
  }

  @Override
  public Optional<Serializable> learned() {
    return Optional.of(facts);
  }

  @Override
  public void learn(Serializable learned) {
    facts.add((ClientFacts) learned);
  }

  @Override
  public RequestReader open(InputStream text, ParseStatistics statistics) {
    return new ClientLogReader(text, place, zone, facts, statistics);
  }
}
