/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import io.penstock.loggen.draw.Slowness;
import io.penstock.loggen.draw.WrittenCounts;
import io.penstock.loggen.eventlog.EventLog;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.LogForm;
import io.penstock.loggen.plan.LogSetOptions;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Writes a set of logs, either completely or not at all. */
public final class Generation {
  /**
   * Approximate sizes in bytes: a line with S3A's audit, a line without it, a compressed line, an
   * event.
   */
  private static final long LINE_BYTES = 1_130;

  private static final long PLAIN_LINE_BYTES = 850;
  private static final long GZIP_SHARE = 3;
  private static final long EVENT_BYTES = 480;

  private final LogSetOptions options;
  private final Path directory;
  private final boolean replaces;
  private volatile boolean isCancelled;

  /** Receives the number of written requests. May be called from any thread. */
  public interface Progress {
    void at(long done, long of);
  }

  /**
   * Prepares the generation of logs with these options in this directory.
   *
   * @param replaces whether the directory may contain an earlier set, which is then deleted
   */
  public Generation(LogSetOptions options, Path directory, boolean replaces) {
    this.options = options;
    this.directory = directory;
    this.replaces = replaces;
  }

  /** Makes {@link #run} fail soon. May be called from any thread. */
  public void cancel() {
    isCancelled = true;
  }

  /**
   * Writes all files. Leaves no files after a failure or a cancellation.
   *
   * @throws IllegalArgumentException when the directory is a file, is not empty and {@code
   *     replaces} is false, or has logs that are not from here
   * @throws IOException when there is too little space, a file cannot be written, or, as an
   *     InterruptedIOException, after {@link #cancel}
   * @throws InterruptedException when interrupted; no file is left then, either
   */
  public GeneratedLogs run(Progress progress) throws IOException, InterruptedException {
    LogDirectory target = new LogDirectory(directory, replaces);
    requireRoom(target);
    Plan plan = new Plan(options);
    TaskPlacement fleet = new TaskPlacement(plan);
    boolean isDone = false;
    try {
      Path staging = target.stage();
      for (LogForm format : options.formats()) {
        Files.createDirectories(staging.resolve(format.toString()));
      }
      WrittenCounts tally = writeRequests(plan, fleet, staging, progress);
      if (options.formats().contains(LogForm.EVENT_LOG)) {
        new EventLog(plan, fleet, tally).write(staging.resolve(LogForm.EVENT_LOG.toString()));
      }
      Files.writeString(staging.resolve(GroundTruth.NAME), new GroundTruth(plan, tally).text());
      target.publish();
      isDone = true;
      return result(plan, tally);
    } finally {
      if (!isDone) {
        target.discard();
      }
    }
  }

  private void requireRoom(LogDirectory target) throws IOException {
    long needed = 0;
    if (options.formats().contains(LogForm.ACCESS_LOG)) {
      long line = options.hasAudit() ? LINE_BYTES : PLAIN_LINE_BYTES;
      needed += options.requests() * line / (options.isGzip() ? GZIP_SHARE : 1);
    }
    if (options.formats().contains(LogForm.CLOUDTRAIL)) {
      needed += options.requests() * EVENT_BYTES;
    }
    long free = target.usableBytes();
    if (needed > free) {
      throw new IOException(
          "%s has room for %,d MB, and these logs need about %,d MB; ask for fewer --requests, or"
                  .formatted(directory, free / 1_000_000, needed / 1_000_000)
              + " name another directory");
    }
  }

  private WrittenCounts writeRequests(
      Plan plan, TaskPlacement fleet, Path staging, Progress progress)
      throws IOException, InterruptedException {
    Slowness slowness = new Slowness(plan);
    Words words = new Words(plan, fleet);
    WrittenCounts all = new WrittenCounts(options.prefixes(), plan.tasks());
    AtomicLong done = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(options.threads());
    try {
      List<Future<?>> chunks = new ArrayList<>();
      for (int i = 0; i < plan.chunks(); i++) {
        int number = i;
        chunks.add(
            pool.submit(
                () -> {
                  Chunk chunk = new Chunk(plan, fleet, words, number, () -> isCancelled);
                  WrittenCounts tally = chunk.write(slowness, staging);
                  all.add(tally);
                  progress.at(done.addAndGet(tally.requests()), options.requests());
                  return null;
                }));
      }
      for (Future<?> chunk : chunks) {
        chunk.get();
      }
      return all;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("a part of the logs failed: " + e.getCause(), e);
    } finally {
      isCancelled = true;
      pool.shutdown();
      // All writers must have ended before the directory is deleted.
      boolean hasEnded = pool.awaitTermination(1, TimeUnit.MINUTES);
      isCancelled = false;
      if (!hasEnded) {
        pool.shutdownNow();
      }
    }
  }

  private GeneratedLogs result(Plan plan, WrittenCounts tally) throws IOException {
    Map<String, Long> requests = new TreeMap<>();
    Map<String, Long> throttled = new TreeMap<>();
    for (Call call : Call.values()) {
      if (tally.requests(call) > 0) {
        requests.put(call.operation().apiName(), tally.requests(call));
        throttled.put(call.operation().apiName(), tally.throttled(call));
      }
    }
    return new GeneratedLogs(
        Plan.START,
        Plan.START.plusMillis(tally.lastEndMillis),
        tally.requests(),
        tally.writes(),
        tally.throttled(),
        plan.files(),
        requests,
        throttled,
        tally.lines,
        tally.oddities.values().stream().mapToLong(Long::longValue).sum(),
        tally.accessFiles,
        tally.accessBytes,
        tally.events,
        tally.trailFiles,
        tally.trailBytes,
        eventLogBytes(),
        plan.tasks());
  }

  private long eventLogBytes() throws IOException {
    Path folder = directory.resolve(LogForm.EVENT_LOG.toString());
    if (Files.notExists(folder)) {
      return 0;
    }
    long bytes = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
