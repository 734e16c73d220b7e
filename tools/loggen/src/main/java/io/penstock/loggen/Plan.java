/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.time.Instant;
import java.util.Map;

/**
 * The exact counts of a set of logs, and their division among files and chunks. Each chunk is drawn
 * and written independently. A job of another size than the published job has the same rates and a
 * longer or shorter duration.
 */
final class Plan {
  /** The start of the job, so that the seed's own case is at 03:27:47. */
  static final Instant START = Instant.parse("2026-06-04T03:27:00Z");

  static final int SEED_CASE_MILLIS = 47_000;

  /** The number of files among which random draws and counts are divided at a time. */
  static final int SLICE_FILES = 1_024;

  private static final int CHUNK_FILES = 8 * SLICE_FILES;
  private static final int CHUNK_READS = 32_768;
  private static final long DURATION_MILLIS_MIN = 60_000;
  private static final int TAIL_PARTS = 8;
  private static final int TAIL_PER_SECOND = 7_000;
  private static final int PART_BYTES = 8 << 20;
  private static final int TASKS_MAX = 20_000;
  private static final int SLOTS = Fleet.NODES * Fleet.CORES;

  private final LogOptions options;
  private final Counts counts;
  private final long files;
  private final long fileBytes;
  private final int tasks;
  private final long durationMillis;
  private final Arrivals arrivals;
  private final long seedFile;

  Plan(LogOptions options) {
    this.options = options;
    Counts published = published(options.scenario(), options.run());
    this.counts = published.scaledTo(options.requests());
    double factor = (double) options.requests() / published.requests();
    if (isTail()) {
      this.files = counts.succeeded(Call.CREATE);
      this.fileBytes = (long) TAIL_PARTS * PART_BYTES;
      this.durationMillis = duration(1_000.0 * options.requests() / TAIL_PER_SECOND);
      this.arrivals = Arrivals.steady(durationMillis);
      this.tasks = tasks(files / TAIL_PARTS, files);
    } else {
      PublishedRun run = PublishedRun.of(options.run());
      this.files = Math.max(1, Math.round(run.files() * factor));
      this.fileBytes = run.fileBytes();
      this.durationMillis = duration(run.durationMillis() * factor);
      this.arrivals = Arrivals.published(run.isAimd(), durationMillis);
      this.tasks = tasks(Math.round(run.tasks() * factor), files);
    }
    this.seedFile = fileOfSeedCase();
  }

  /** Returns the counts of the whole published job. */
  static Counts published(LogScenario scenario, int run) {
    if (scenario == LogScenario.THROTTLED) {
      return PublishedRun.of(run).counts();
    }
    long parts = LatencyLaw.MEASURED;
    long uploads = (parts + TAIL_PARTS - 1) / TAIL_PARTS;
    return new Counts(
        Map.of(Call.PART, parts, Call.CREATE, uploads, Call.COMPLETE, uploads), Map.of());
  }

  private static long duration(double millis) {
    return Math.max(DURATION_MILLIS_MIN, Math.round(millis));
  }

  /** Returns the number of tasks. A smaller job still uses the whole cluster. */
  private static int tasks(long wanted, long files) {
    return (int) Math.min(TASKS_MAX, Math.max(wanted, Math.min(files, SLOTS)));
  }

  private long fileOfSeedCase() {
    long file = (long) Math.ceil(files * arrivals.files().shareBefore(SEED_CASE_MILLIS - 500));
    file = Math.max(0, Math.min(file, files - 1));
    while (file < files - 1
        && (succeeded(Call.CREATE, file) < 1
            || succeeded(Call.PART, file) < 1
            || succeeded(Call.COMPLETE, file) < 1)) {
      file++;
    }
    return file;
  }

  LogOptions options() {
    return options;
  }

  boolean isTail() {
    return options.scenario() == LogScenario.TAIL;
  }

  Counts counts() {
    return counts;
  }

  long files() {
    return files;
  }

  int tasks() {
    return tasks;
  }

  long durationMillis() {
    return durationMillis;
  }

  long seedFile() {
    return seedFile;
  }

  /** Returns the time at which the first request of a file is sent. */
  double startMillis(long file, double place) {
    return arrivals.files().millisAt((file + place) / files);
  }

  double readMillis(long read, double place) {
    return arrivals.reads().millisAt((read + place) / reads());
  }

  /** Returns how many requests of a call succeed for the files before this one. */
  long succeededBefore(Call call, long file) {
    // Without slow requests, the first attempt of the seed's case is one additional success.
    long all = counts.succeeded(call) - (call == Call.PART && !isTail() ? 1 : 0);
    return Shares.before(file, all, files);
  }

  int succeeded(Call call, long file) {
    return (int) (succeededBefore(call, file + 1) - succeededBefore(call, file));
  }

  /**
   * Returns how many requests of a call are throttled while the files before this one are written.
   */
  long throttledBefore(Call call, long file) {
    double share =
        file >= files
            ? 1
            : arrivals.throttles().shareBefore(arrivals.files().millisAt((double) file / files));
    return Shares.before(share, counts.throttled(call));
  }

  long reads() {
    return Call.READS.stream().mapToLong(counts::succeeded).sum();
  }

  /** Returns the size in bytes of a part, for a file with this number of parts. */
  long partBytes(long file, int part, int parts) {
    double chance = Mix.unit(Mix.of(options.seed(), Purpose.SIZE, file));
    if (file == seedFile) {
      return PART_BYTES;
    }
    if (isTail()) {
      return part < parts ? PART_BYTES : 1 + (long) (chance * PART_BYTES);
    }
    return (long) (fileBytes * (0.85 + 0.3 * chance) / Math.max(1, parts));
  }

  long fileBytes(long file) {
    int parts = Math.max(1, succeeded(Call.PART, file));
    return (parts - 1) * partBytes(file, 1, parts) + partBytes(file, parts, parts);
  }

  int readChunks() {
    return (int) ((reads() + CHUNK_READS - 1) / CHUNK_READS);
  }

  int chunks() {
    return readChunks() + (int) ((files + CHUNK_FILES - 1) / CHUNK_FILES);
  }

  boolean isReadChunk(int chunk) {
    return chunk < readChunks();
  }

  /** Returns the index of a chunk's first file, or of its first read if it is a chunk of reads. */
  long chunkStart(int chunk) {
    return isReadChunk(chunk)
        ? (long) chunk * CHUNK_READS
        : (long) (chunk - readChunks()) * CHUNK_FILES;
  }

  long chunkEnd(int chunk) {
    return isReadChunk(chunk)
        ? Math.min(reads(), chunkStart(chunk) + CHUNK_READS)
        : Math.min(files, chunkStart(chunk) + CHUNK_FILES);
  }
}
