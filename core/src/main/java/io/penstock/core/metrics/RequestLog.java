/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.caller.Origin;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Range;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.text.JsonStrings;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes every event as a line of JSON to one file per process. Lines reach the file at most a
 * second late while requests continue, and at the end of the process. If the disk cannot take the
 * lines, the log stops and the job continues.
 */
public final class RequestLog implements RequestEvent.Listener, AutoCloseable {
  public static final ConfigKey<Optional<String>> DIRECTORY =
      ConfigKey.text("request.log.dir")
          .doc(
              "Local directory for the request log. Each process writes"
                  + " requests-START-HOST-PID.jsonl: a JSON line per request attempt and wait."
                  + " Empty: no log. The first opened bucket with a value counts.");

  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final long FLUSH_MILLIS = 1_000;

  private final Path file;
  private final String process;
  private BufferedWriter writer;
  private long flushedMillis;

  /**
   * Begins a log, or continues an existing one.
   *
   * @param process written into every line, so that the lines of several processes can be combined
   */
  RequestLog(Path file, String process) throws IOException {
    this.file = file;
    this.process = process;
    Files.createDirectories(file.toAbsolutePath().getParent());
    this.writer = open(file);
  }

  /** Opens the file, which only its owner can read: keys of objects may tell much. */
  private static BufferedWriter open(Path file) throws IOException {
    boolean hasRights = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] rights =
        hasRights
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    // The file is appended to: existing lines belong to another process and must not be lost.
    Set<OpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.newByteChannel(file, options, rights).close();
    // A channel would be closed for good by the first interrupted thread that writes to it.
    return new BufferedWriter(
        new OutputStreamWriter(
            Files.newOutputStream(file, StandardOpenOption.APPEND), StandardCharsets.UTF_8));
  }

  /**
   * Starts the log of a process. The log closes at the end of the process; a close before that does
   * not remove it from the events.
   *
   * @param start start time of the log, by the wall clock, which becomes part of its file name
   * @throws IOException when the directory or the file cannot be made
   */
  public static RequestLog start(String directory, Instant start, RequestEvents events)
      throws IOException {
    long pid = ProcessHandle.current().pid();
    Path file = Path.of(directory, name(start, host(), pid));
    RequestLog log = new RequestLog(file, host() + "-" + pid);
    events.add(log);
    Runtime.getRuntime().addShutdownHook(new Thread(log::close, "penstock-request-log"));
    LOG.info("every attempt of every S3 request is written to {}", file.toAbsolutePath());
    return log;
  }

  /**
   * Returns the log's file name. It contains the start time and the host, because in containers
   * every process has the same id, and often the same directory.
   */
  static String name(Instant start, String host, long pid) {
    String time = START.format(start);
    return "requests-" + time + "-" + host.replaceAll("[^A-Za-z0-9.-]", "_") + "-" + pid + ".jsonl";
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  @Override
  public synchronized void happened(RequestEvent event) {
    if (writer == null) {
      return;
    }
    try {
      writer.write(line(event, process));
      long now = event.started().toEpochMilli() + event.nanos() / 1_000_000;
      if (now - flushedMillis >= FLUSH_MILLIS) {
        writer.flush();
        flushedMillis = now;
      }
    } catch (IOException e) {
      LOG.warn(
          "{} can no longer be written; the job goes on without this log: {}", file, e.toString());
      writer = null;
    }
  }

  @Override
  public synchronized void close() {
    if (writer == null) {
      return;
    }
    try {
      writer.close();
    } catch (IOException e) {
      LOG.warn("the last lines of {} could not be written: {}", file, e.toString());
    }
    writer = null;
  }

  static String line(RequestEvent event, String process) {
    StringBuilder line = new StringBuilder(200);
    line.append("{\"ts_ms\":").append(event.started().toEpochMilli());
    text(line, "op", event.operation().name());
    text(line, "bucket", event.bucket());
    text(line, "key", event.key());
    text(line, "outcome", event.outcome());
    line.append(",\"total_us\":").append(event.nanos() / 1_000);
    line.append(",\"sent_bytes\":").append(event.sentBytes());
    line.append(",\"received_bytes\":").append(event.receivedBytes());
    line.append(",\"hedge\":").append(event.beside());
    text(line, "cut_because", event.cutBecause());
    text(line, "ip", event.address());
    text(line, "req_id", event.requestId());
    event.range().ifPresent(range -> text(line, "range", shown(range)));
    event.part().ifPresent(part -> number(line, "part", part));
    text(line, "client", event.client());
    origin(line, event.origin());
    text(line, "process", process);
    return line.append("}\n").toString();
  }

  /** Returns the range as HTTP writes it: both ends inclusive. */
  private static String shown(Range range) {
    return range instanceof ByteRange bytes
        ? bytes.start() + "-" + (bytes.end() - 1)
        : "-" + ((SuffixRange) range).lengthBytes();
  }

  private static void origin(StringBuilder line, Origin origin) {
    text(line, "app", origin.application());
    origin.query().ifPresent(query -> number(line, "query", query));
    if (origin.task().isPresent()) {
      Origin.Task task = origin.task().get();
      number(line, "stage", task.stage());
      number(line, "stage_attempt", task.stageAttempt());
      number(line, "partition", task.partition());
      number(line, "task", task.id());
    }
  }

  private static void number(StringBuilder line, String name, long value) {
    line.append(",\"").append(name).append("\":").append(value);
  }

  /** Appends a field to the line. An empty field is left out. */
  private static void text(StringBuilder line, String name, String value) {
    if (value.isEmpty()) {
      return;
    }
    line.append(",\"").append(name).append("\":");
    JsonStrings.append(line, value);
  }
}
