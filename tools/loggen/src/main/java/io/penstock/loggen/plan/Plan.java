/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import io.penstock.loggen.chance.Apportionment;
import io.penstock.loggen.chance.Arrivals;
import io.penstock.loggen.chance.LatencyLaw;
import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import java.time.Instant;
import java.util.Map;

/**
 * The exact counts of a set of logs, and their division among files and chunks. Each chunk is drawn
 * and written independently. A job of another size than the published job has the same rates and a
 * longer or shorter duration.
 */
public final class Plan {
  /** The start of the job, so that the seed's own case is at 03:27:47. */
  public static final Instant START = Instant.parse("2026-06-04T03:27:00Z");

  public static final int SEED_CASE_MILLIS = 47_000;

  /** The number of files among which random draws and counts are divided at a time. */
  public static final int SLICE_FILES = 1_024;

  private static final int CHUNK_FILES = 8 * SLICE_FILES;
  private static final int CHUNK_READS = 32_768;
  private static final long DURATION_MILLIS_MIN = 60_000;
  private static final int TAIL_PARTS = 8;
  private static final int TAIL_PER_SECOND = 7_000;
  private static final int PART_BYTES = 8 << 20;
  private static final int TASKS_MAX = 20_000;
  private static final int SLOTS = TaskPlacement.NODES * TaskPlacement.CORES;

  private final LogSetOptions options;
  private final Counts counts;
  private final long files;
  private final long fileBytes;
  private final int tasks;
  private final long durationMillis;
  private final Arrivals arrivals;
  private final long seedFile;

  /** Creates the plan of a set of logs. */
  public Plan(LogSetOptions options) {
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

  /** Returns the options of the set. */
  public LogSetOptions options() {
    return options;
  }

  /** Returns true if the scenario is {@link LogScenario#TAIL}. */
  public boolean isTail() {
    return options.scenario() == LogScenario.TAIL;
  }

  /** Returns the number of requests of each call. */
  public Counts counts() {
    return counts;
  }

  /** Returns the number of files that the job writes. */
  public long files() {
    return files;
  }

  /** Returns the number of tasks that write. */
  public int tasks() {
    return tasks;
  }

  /** Returns the time over which requests are sent. */
  public long durationMillis() {
    return durationMillis;
  }

  /** Returns the file of the seed's case. */
  public long seedFile() {
    return seedFile;
  }

  /** Returns the time at which the first request of a file is sent. */
  public double startMillis(long file, double place) {
    return arrivals.files().millisAt((file + place) / files);
  }

  /** Returns the time at which a read is sent. */
  public double readMillis(long read, double place) {
    return arrivals.reads().millisAt((read + place) / reads());
  }

  /** Returns how many requests of a call succeed for the files before this one. */
  public long succeededBefore(Call call, long file) {
    // Without slow requests, the first attempt of the seed's case is one additional success.
    long all = counts.succeeded(call) - (call == Call.PART && !isTail() ? 1 : 0);
    return Apportionment.before(file, all, files);
  }

  /** Returns how many requests of a call succeed for a file. */
  public int succeeded(Call call, long file) {
    return (int) (succeededBefore(call, file + 1) - succeededBefore(call, file));
  }

  /**
   * Returns how many requests of a call are throttled while the files before this one are written.
   */
  public long throttledBefore(Call call, long file) {
    double share =
        file >= files
            ? 1
            : arrivals.throttles().shareBefore(arrivals.files().millisAt((double) file / files));
    return Apportionment.before(share, counts.throttled(call));
  }

  /** Returns the number of reads. */
  public long reads() {
    return Call.READS.stream().mapToLong(counts::succeeded).sum();
  }

  /** Returns the size in bytes of a part, for a file with this number of parts. */
  public long partBytes(long file, int part, int parts) {
    double chance = Mix.unit(Mix.of(options.seed(), Purpose.SIZE, file));
    if (file == seedFile) {
      return PART_BYTES;
    }
    if (isTail()) {
      return part < parts ? PART_BYTES : 1 + (long) (chance * PART_BYTES);
    }
    return (long) (fileBytes * (0.85 + 0.3 * chance) / Math.max(1, parts));
  }

  /** Returns the size of a file. */
  public long fileBytes(long file) {
    int parts = Math.max(1, succeeded(Call.PART, file));
    return (parts - 1) * partBytes(file, 1, parts) + partBytes(file, parts, parts);
  }

  int readChunks() {
    return (int) ((reads() + CHUNK_READS - 1) / CHUNK_READS);
  }

  /** Returns the number of chunks. */
  public int chunks() {
    return readChunks() + (int) ((files + CHUNK_FILES - 1) / CHUNK_FILES);
  }

  /** Returns true if the chunk is one of reads. */
  public boolean isReadChunk(int chunk) {
    return chunk < readChunks();
  }

  /** Returns the index of a chunk's first file, or of its first read if it is a chunk of reads. */
  public long chunkStart(int chunk) {
    return isReadChunk(chunk)
        ? (long) chunk * CHUNK_READS
        : (long) (chunk - readChunks()) * CHUNK_FILES;
  }

  /** Returns the index after the chunk's last file, or after its last read. */
  public long chunkEnd(int chunk) {
    return isReadChunk(chunk)
        ? Math.min(reads(), chunkStart(chunk) + CHUNK_READS)
        : Math.min(files, chunkStart(chunk) + CHUNK_FILES);
  }
}
