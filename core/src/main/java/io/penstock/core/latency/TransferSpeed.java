/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

import io.penstock.core.request.Context;
import io.penstock.core.request.Request;
import io.penstock.core.request.RequestObserver;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;

/**
 * Learns how fast one endpoint answers reads, or takes parts: the time until the first byte, and
 * the bytes a second of one connection, by the number of connections in use. From these it computes
 * into how many requests a large range should be split, and whether more parts at once gain
 * anything.
 *
 * <p>More connections gain time where each connection has a limit, as at Amazon S3 (a few ten
 * megabytes a second), and nothing where the machine or its network is the limit: there each
 * connection becomes slower as more are in use. Numbers of connections that were never in use are
 * tried step by step.
 *
 * <p>Reads no clock; times are nanoseconds of one monotonic clock. Safe for many threads.
 */
public final class TransferSpeed implements RequestObserver {
  /**
   * A request must save this much time of a task. S3 takes $0.40 for a million GETs, and an hour of
   * a core costs about $0.05: so a GET costs as much as 29 ms of a core. A third of it is a
   * judgement, because memory and people wait, too. At 75 MB/s a connection, 64 MiB become ranges
   * of 7 MiB; the guide of Amazon S3 recommends 8 to 16 MiB.
   */
  private static final double REQUEST_SECONDS = 0.01;

  /** More connections for one range gain little: the time left falls with their number. */
  private static final int REQUESTS_MAX = 16;

  /** A shorter transfer consists mostly of waiting for the first byte. */
  public static final long PIECE_MIN_BYTES = 1 << 20;

  /** Six times the time to the first byte of S3. */
  private static final double WINDOW_SECONDS = 0.2;

  private static final long WINDOW_MIN_BYTES = 8 << 20;

  private static final long SMALL_MAX_BYTES = 128 << 10;

  /** Assumed while nothing is known: what S3 gives to one connection, by its guidelines. */
  private static final double BYTES_A_SECOND = 60e6;

  private static final double FIRST_BYTE_SECONDS = 0.03;

  /** The levels double: 1 connection, 2 or 3, 4 to 7, and so on. */
  private static final int LEVELS = 8;

  /** Up to this level, numbers of connections may be used that were never measured. */
  private static final int FIRST_LEVEL = 1;

  private static final int SAMPLES_MIN = 2;

  /** A request counts as if it took at most so many times as long as usual; a judgement. */
  private static final double STRAGGLER_TIMES = 3;

  /** A measurement that is older than this says nothing about now. */
  private static final long STALE_NANOS = 60_000_000_000L;

  /**
   * A further connection must give at least this share of what each one gave before, to be worth
   * its memory and its requests; a judgement.
   */
  private static final double WORTHWHILE = 0.15;

  private final Operation operation;
  private final Level[] levels = new Level[LEVELS];
  private double firstByteSeconds = FIRST_BYTE_SECONDS;
  private int active;
  private long throttledUntilNanos = Long.MIN_VALUE;

  /** The sum of connections in use times seconds, from which a mean over any time follows. */
  private double connectionSeconds;

  private long changedNanos;

  /** Sums up the requests that ran while a number of connections of this level was in use. */
  private static final class Level {
    private double bytes;
    private double seconds;
    private double connectionSeconds;
    private int samples;
    private long lastNanos;

    void add(long sampleBytes, double sampleSeconds, double connections, long nowNanos) {
      if (nowNanos - lastNanos > STALE_NANOS) {
        bytes = 0;
        seconds = 0;
        connectionSeconds = 0;
        samples = 0;
      }
      bytes = 0.8 * bytes + sampleBytes;
      seconds = 0.8 * seconds + sampleSeconds;
      connectionSeconds = 0.8 * connectionSeconds + connections * sampleSeconds;
      samples = Math.min(samples + 1, SAMPLES_MIN);
      lastNanos = nowNanos;
    }

    /** Returns what one connection gave. */
    double bytesASecond() {
      return bytes / seconds;
    }

    /** Returns the mean number of connections in use. */
    double connections() {
      return connectionSeconds / seconds;
    }

    /** Returns what all connections together gave. */
    double totalBytesASecond() {
      return bytesASecond() * connections();
    }

    boolean isMeasured() {
      return samples >= SAMPLES_MIN;
    }

    boolean isKnown(long nowNanos) {
      return isMeasured() && nowNanos - lastNanos <= STALE_NANOS;
    }
  }

  private TransferSpeed(Operation operation) {
    this.operation = operation;
    for (int i = 0; i < LEVELS; i++) {
      levels[i] = new Level();
    }
  }

  /** Returns what learns from every GET. */
  public static TransferSpeed ofReads() {
    return new TransferSpeed(Operation.GET);
  }

  /** Returns what learns from every part of an upload. */
  public static TransferSpeed ofParts() {
    return new TransferSpeed(Operation.UPLOAD_PART);
  }

  /**
   * Measures one request. Each begun sample must be ended once, also when the request fails.
   *
   * @see #begin
   */
  public final class Sample implements RequestObserver.End {
    private final long startNanos;
    private final double connectionSecondsAtStart;

    private Sample(long startNanos, double connectionSecondsAtStart) {
      this.startNanos = startNanos;
      this.connectionSecondsAtStart = connectionSecondsAtStart;
    }

    /**
     * Ends the request.
     *
     * @param bytes that were moved; 0 when the request failed
     */
    public void end(long bytes, long nowNanos) {
      TransferSpeed.this.ended(this, bytes, nowNanos);
    }

    @Override
    public void ended(Request<?> request, Context context, RequestObserver.Ending ending) {
      if (ending.failure().filter(TransferSpeed::isThrottled).isPresent()) {
        throttled(ending.endNanos());
      }
      boolean isAnswered = ending.failure().isEmpty();
      end(isAnswered ? movedBytes(request, context) : 0, ending.endNanos());
    }
  }

  private long movedBytes(Request<?> request, Context context) {
    return operation == Operation.GET ? context.attempt().receivedBytes() : request.sentBytes();
  }

  private static boolean isThrottled(Throwable failure) {
    return failure instanceof StoreException known && known.kind() == Kind.THROTTLED;
  }

  @Override
  public End begins(Request<?> request, Context context, long nowNanos) {
    return request.operation() == operation ? begin(nowNanos) : End.IGNORED;
  }

  /** Records that a request is sent. */
  public synchronized Sample begin(long nowNanos) {
    change(1, nowNanos);
    return new Sample(nowNanos, connectionSeconds);
  }

  /**
   * Records that the store asked for fewer requests: for a while none more are made by splitting.
   */
  public synchronized void throttled(long nowNanos) {
    throttledUntilNanos = nowNanos + STALE_NANOS;
  }

  private void change(int by, long nowNanos) {
    connectionSeconds += active * (nowNanos - changedNanos) / 1e9;
    changedNanos = nowNanos;
    active += by;
  }

  private synchronized void ended(Sample sample, long bytes, long nowNanos) {
    change(-1, nowNanos);
    double seconds = Math.max(1e-6, (nowNanos - sample.startNanos) / 1e9);
    double connections = (connectionSeconds - sample.connectionSecondsAtStart) / seconds;
    if (bytes >= PIECE_MIN_BYTES) {
      // Of a fast answer the wait is a part that is not known well.
      double transfer = Math.max(seconds - firstByteSeconds, seconds / 4);
      Level level = levels[level(connections)];
      // A straggler counts little.
      double most =
          level.isKnown(nowNanos) ? STRAGGLER_TIMES * bytes / level.bytesASecond() : transfer;
      level.add(bytes, Math.min(transfer, most), Math.max(1, connections), nowNanos);
    } else if (bytes > 0 && bytes <= SMALL_MAX_BYTES) {
      // A straggler counts little.
      double usual = Math.min(seconds, STRAGGLER_TIMES * firstByteSeconds);
      firstByteSeconds += (usual - firstByteSeconds) / 8;
    }
  }

  private static int level(double connections) {
    int whole = Math.max(1, (int) Math.round(connections));
    return Math.min(LEVELS - 1, 31 - Integer.numberOfLeadingZeros(whole));
  }

  /**
   * Returns the number of requests at once that should read so many bytes, at least 1. It is the
   * number with the least cost, which is the time of the task and the price of the requests.
   *
   * @param inFlightMost the most requests that the process sends at once; more would only wait
   */
  public synchronized int requests(long bytes, int inFlightMost, long nowNanos) {
    long free = Math.max(1, inFlightMost - active);
    int most = (int) Math.min(Math.min(REQUESTS_MAX, free), bytes / PIECE_MIN_BYTES);
    int best = 1;
    double least = Double.MAX_VALUE;
    for (int requests = 1; requests <= most; requests++) {
      int level = level(active + requests);
      if (requests > 1 && !isWorthwhile(level, nowNanos)) {
        break;
      }
      double cost = bytes / (requests * bytesASecond(level, nowNanos)) + requests * REQUEST_SECONDS;
      if (cost < least) {
        least = cost;
        best = requests;
      }
    }
    return best;
  }

  /**
   * Returns the size of a range that keeps a connection busy for so long that the time to its first
   * byte, and the work of a request, count little.
   */
  public synchronized long windowBytes(long nowNanos) {
    double bytes = bytesASecond(level(Math.max(1, active)), nowNanos) * WINDOW_SECONDS;
    return Math.max(WINDOW_MIN_BYTES, (long) bytes);
  }

  /**
   * Returns how many bytes one connection gives in the time until the first byte of an answer. To
   * read so many more takes no longer than another request.
   */
  public synchronized long requestBytes(long nowNanos) {
    return (long) (firstByteSeconds * bytesASecond(level(Math.max(1, active)), nowNanos));
  }

  /**
   * Returns the number of unwanted bytes that cost as much as a request: so many arrive on one
   * connection in the time that a request must save.
   */
  public synchronized long gapBytes(long nowNanos) {
    return (long) (REQUEST_SECONDS * bytesASecond(level(Math.max(1, active)), nowNanos));
  }

  /**
   * Returns true if one connection more than now moves more bytes in total, or if that is not known
   * yet.
   */
  public synchronized boolean gainsByMore(long nowNanos) {
    return isWorthwhile(level(active + 1), nowNanos);
  }

  /**
   * Returns false if it is known that one connection more than now moves no more bytes in total.
   * Unlike {@link #gainsByMore}, numbers of connections that were never in use may be tried at
   * once: parts take seconds, and each is sent once in any case.
   */
  public synchronized boolean mayGainByMore(long nowNanos) {
    int level = level(active + 1);
    boolean isKnown = levels[level].isKnown(nowNanos);
    return isKnown ? isWorthwhile(level, nowNanos) : nowNanos >= throttledUntilNanos;
  }

  /**
   * Returns true if more bytes are moved in total at this level than at the next lower one, or if
   * that is not known and may be tried.
   */
  private boolean isWorthwhile(int level, long nowNanos) {
    if (level > reachable(nowNanos) || nowNanos < throttledUntilNanos) {
      return false;
    }
    if (!levels[level].isKnown(nowNanos)) {
      return true;
    }
    for (int i = level - 1; i >= 0; i--) {
      // However long ago: if the lower level gives less now, that is found out when it is used.
      if (levels[i].isMeasured()) {
        double more = levels[level].connections() / levels[i].connections() - 1;
        double least = levels[i].totalBytesASecond() * (1 + WORTHWHILE * more);
        return levels[level].totalBytesASecond() >= least;
      }
    }
    return true;
  }

  private int reachable(long nowNanos) {
    int highest = FIRST_LEVEL;
    for (int i = FIRST_LEVEL; i < LEVELS; i++) {
      if (levels[i].isKnown(nowNanos)) {
        highest = i + 1;
      }
    }
    return Math.min(LEVELS - 1, highest);
  }

  /**
   * Returns what one connection gives. It is at least what was measured later while more
   * connections were in use. When nothing is known of these levels, it is what was measured at the
   * next lower one.
   */
  private double bytesASecond(int level, long nowNanos) {
    double fastest = 0;
    for (int i = LEVELS - 1; i >= 0 && (i >= level || fastest == 0); i--) {
      boolean isOlder = i > level && levels[i].lastNanos < levels[level].lastNanos;
      if (levels[i].isKnown(nowNanos) && !(isOlder && levels[level].isKnown(nowNanos))) {
        fastest = Math.max(fastest, levels[i].bytesASecond());
      }
    }
    return fastest == 0 ? BYTES_A_SECOND : fastest;
  }
}
