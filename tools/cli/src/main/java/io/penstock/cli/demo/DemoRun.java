/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.demo;

import io.penstock.cli.print.Terminal;
import io.penstock.core.store.Operation;
import io.penstock.core.time.Time;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.RequestCounts;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Follows the demo's job: its steps, their requests as counted by both sides, and the checks. */
final class DemoRun implements SparkProcess.Listener {
  private static final Map<Operation, String> API_NAMES = apiNames();

  /** One of the two commits, with the totals of its three steps. */
  private static final class Round {
    final Map<Operation, Long> requests = new EnumMap<>(Operation.class);
    final Map<String, Double> seconds = new LinkedHashMap<>();
    long sentBytes;
    long receivedBytes;

    long total() {
      return requests.values().stream().mapToLong(Long::longValue).sum();
    }

    double totalSeconds() {
      return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  private final Terminal terminal;
  private final Optional<EmbeddedS3> s3;
  private final Time time;
  private final Map<String, Round> rounds = new LinkedHashMap<>();
  private final List<String> failed = new ArrayList<>();
  private String engine = "";
  private int checks;
  private long stepStartNanos;

  DemoRun(Terminal terminal, Optional<EmbeddedS3> s3, Time time) {
    this.terminal = terminal;
    this.s3 = s3;
    this.time = time;
    terminal.progress("starting Spark");
  }

  @Override
  public Optional<String> said(List<String> words) {
    switch (words.get(0)) {
      case "started" -> {
        terminal.done(words.get(1) + " is up");
        terminal.progress("computing what the table must add up to");
      }
      case "ready" -> {
        terminal.progress(commitName(words.get(1)) + ": " + words.get(2));
        s3.ifPresent(EmbeddedS3::resetCounts);
        stepStartNanos = time.nowNanos();
        return Optional.of("go");
      }
      case "done" -> finished(words);
      case "engine" -> engine = words.get(1);
      case "check" -> checked(Boolean.parseBoolean(words.get(1)), words.get(2), words.get(3));
      default -> {
        // Ignored, because a later version of the job may send more words.
      }
    }
    return Optional.empty();
  }

  private void finished(List<String> words) {
    String name = words.get(1);
    String step = words.get(2);
    long inDoubt = Long.parseLong(words.get(4));
    double seconds = (time.nowNanos() - stepStartNanos) / 1e9;
    Round round = rounds.computeIfAbsent(name, n -> new Round());
    Map<Operation, Long> requests = parse(words.get(3));
    requests.forEach((operation, count) -> round.requests.merge(operation, count, Long::sum));
    round.seconds.put(step, seconds);
    long total = requests.values().stream().mapToLong(Long::longValue).sum();
    terminal.done(
        String.format(
            Locale.ROOT,
            "%-28s %-10s %,7d requests  %6.1f s",
            commitName(name),
            step,
            total,
            seconds));
    s3.ifPresent(
        store -> compareWithStore(store.counts(), round, total, inDoubt, name + " " + step));
  }

  /**
   * Compares our request counts with those of the store, which are authoritative.
   *
   * @param inDoubt attempts that were cut short, which may have been counted by one side only
   */
  private void compareWithStore(
      RequestCounts.Snapshot counted, Round round, long total, long inDoubt, String step) {
    round.sentBytes += counted.bytesIn();
    round.receivedBytes += counted.bytesOut();
    if (Math.abs(counted.total() - total) > inDoubt) {
      failed.add(
          "%s: the store counted %d requests, the client %d"
              .formatted(step, counted.total(), total));
    }
  }

  private void checked(boolean holds, String what, String detail) {
    checks++;
    if (!holds) {
      failed.add(what + ": " + detail);
    }
  }

  boolean passed() {
    return failed.isEmpty() && checks > 0;
  }

  String report() {
    StringBuilder text = new StringBuilder("\n");
    Round ours = rounds.getOrDefault("penstock", new Round());
    Optional<Round> rename = Optional.ofNullable(rounds.get("rename"));
    AlignedRows table = new AlignedRows("what S3 was asked", "Penstock", "rename committer");
    for (Operation operation : Operation.values()) {
      long here = ours.requests.getOrDefault(operation, 0L);
      Optional<Long> there = rename.map(round -> round.requests.getOrDefault(operation, 0L));
      if (here > 0 || there.orElse(0L) > 0) {
        table.row(API_NAMES.get(operation), Values.count(here), number(there));
      }
    }
    table.rule();
    table.row("requests", Values.count(ours.total()), number(rename.map(Round::total)));
    table.row(
        "renames (copies)",
        Values.count(ours.requests.getOrDefault(Operation.COPY, 0L)),
        number(rename.map(round -> round.requests.getOrDefault(Operation.COPY, 0L))));
    if (s3.isPresent()) {
      table.row("bytes sent", Values.bytes(ours.sentBytes), bytes(rename.map(r -> r.sentBytes)));
      table.row(
          "bytes received",
          Values.bytes(ours.receivedBytes),
          bytes(rename.map(r -> r.receivedBytes)));
    }
    table.row(
        "elapsed",
        seconds(ours.totalSeconds()),
        rename.map(r -> seconds(r.totalSeconds())).orElse("-"));
    text.append(table);
    if (!engine.isEmpty()) {
      text.append("\n  Penstock's engine: ").append(engine).append('\n');
    }
    text.append(verdict());
    return text.toString();
  }

  private String verdict() {
    if (passed()) {
      return "\n  All %d checks held: row counts, sums, and the overwrite.\n".formatted(checks);
    }
    StringBuilder text = new StringBuilder("\n  FAILED:\n");
    if (checks == 0) {
      text.append("  - Spark ended before anything was checked\n");
    }
    failed.forEach(problem -> text.append("  - ").append(problem).append('\n'));
    return text.toString();
  }

  private static String commitName(String round) {
    return round.equals("penstock") ? "Penstock" : "Hadoop's rename committer";
  }

  private static String number(Optional<Long> value) {
    return value.map(Values::count).orElse("-");
  }

  private static String bytes(Optional<Long> value) {
    return value.map(Values::bytes).orElse("-");
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f s", value);
  }

  private static Map<Operation, Long> parse(String counts) {
    Map<Operation, Long> requests = new EnumMap<>(Operation.class);
    for (String entry : counts.split(" ", -1)) {
      int equals = entry.indexOf('=');
      requests.put(
          Operation.valueOf(entry.substring(0, equals)), Long.valueOf(entry.substring(equals + 1)));
    }
    return requests;
  }

  private static Map<Operation, String> apiNames() {
    Map<Operation, String> names = new EnumMap<>(Operation.class);
    names.put(Operation.GET, "GetObject");
    names.put(Operation.HEAD, "HeadObject");
    names.put(Operation.PUT, "PutObject");
    names.put(Operation.COPY, "CopyObject");
    names.put(Operation.DELETE, "DeleteObject");
    names.put(Operation.DELETE_ALL, "DeleteObjects");
    names.put(Operation.LIST, "ListObjectsV2");
    names.put(Operation.CREATE_UPLOAD, "CreateMultipartUpload");
    names.put(Operation.UPLOAD_PART, "UploadPart");
    names.put(Operation.COPY_PART, "UploadPartCopy");
    names.put(Operation.COMPLETE_UPLOAD, "CompleteMultipartUpload");
    names.put(Operation.ABORT_UPLOAD, "AbortMultipartUpload");
    names.put(Operation.LIST_UPLOADS, "ListMultipartUploads");
    names.put(Operation.LIST_PARTS, "ListParts");
    return names;
  }
}
