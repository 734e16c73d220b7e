/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.read;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.read.RangeSplitter;
import io.penstock.core.store.ByteRange;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Runs a {@link ReadJob} in virtual time. The same seed gives the same outcome. Requests that find
 * all threads busy wait in the order in which they came. Memory is not limited.
 */
public final class ReadRun {
  /** The default of {@code penstock.threads.max}. */
  static final int THREADS = 64;

  private final ReadJob job;
  private final Splitting splitting;
  private final SplittableRandom chance;
  private final TransferSpeed speed = TransferSpeed.ofReads();
  private final Network network;
  private final PriorityQueue<Step> later =
      new PriorityQueue<>(Comparator.comparingLong(Step::atNanos).thenComparingLong(Step::number));
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private long nowNanos;
  private long steps;
  private long requests;
  private int tasksBegun;
  private int inFlight;
  private int inFlightMost;

  private record Step(long atNanos, long number, Runnable action) {}

  private ReadRun(ReadJob job, Splitting splitting, long seed) {
    this.job = job;
    this.splitting = splitting;
    this.chance = new SplittableRandom(seed);
    this.network = new Network(job.connectionBytesASecond(), job.networkBytesASecond());
  }

  /** Runs the job to its end. */
  public static ReadOutcome of(ReadJob job, Splitting splitting, long seed) {
    return new ReadRun(job, splitting, seed).run();
  }

  private ReadOutcome run() {
    for (int slot = 0; slot < job.slots(); slot++) {
      nextTask();
    }
    while (true) {
      long transferNanos = network.nextEndNanos();
      long stepNanos = later.isEmpty() ? Long.MAX_VALUE : later.peek().atNanos();
      if (transferNanos == Long.MAX_VALUE && stepNanos == Long.MAX_VALUE) {
        return new ReadOutcome(nowNanos / 1e9, requests, inFlightMost);
      }
      nowNanos = Math.min(transferNanos, stepNanos);
      if (transferNanos <= stepNanos) {
        network.end(nowNanos);
      } else {
        later.remove().action().run();
      }
    }
  }

  private void nextTask() {
    if (tasksBegun < job.tasks()) {
      tasksBegun++;
      new Task().read();
    }
  }

  private void after(double seconds, Runnable action) {
    later.add(new Step(nowNanos + (long) (seconds * 1e9), steps++, action));
  }

  private void send(Runnable request) {
    if (inFlight == THREADS) {
      waiting.add(request);
      return;
    }
    inFlight++;
    inFlightMost = Math.max(inFlightMost, inFlight);
    request.run();
  }

  private void requestEnded() {
    inFlight--;
    if (!waiting.isEmpty()) {
      send(waiting.remove());
    }
  }

  /** One task: reads a range by several requests, decodes it, and reads the next. */
  private final class Task {
    private int rangesLeft = job.rangesATask();
    private int piecesLeft;

    void read() {
      rangesLeft--;
      long bytes = job.rangeBytes();
      List<ByteRange> pieces =
          RangeSplitter.split(
              new ByteRange(0, bytes), splitting.pieceBytes(speed, bytes, nowNanos));
      piecesLeft = pieces.size();
      pieces.forEach(piece -> send(() -> request(piece.lengthBytes())));
    }

    private void request(long bytes) {
      requests++;
      TransferSpeed.Sample sample = speed.begin(nowNanos);
      double wait = job.firstByte().exceededBy(1 - chance.nextDouble()).toNanos() / 1e9;
      after(wait, () -> network.begin(bytes, nowNanos, () -> arrived(sample, bytes)));
    }

    private void arrived(TransferSpeed.Sample sample, long bytes) {
      sample.end(bytes, nowNanos);
      requestEnded();
      piecesLeft--;
      if (piecesLeft == 0) {
        after((double) job.rangeBytes() / job.decodeBytesASecond(), this::decoded);
      }
    }

    private void decoded() {
      if (rangesLeft > 0) {
        read();
      } else {
        nextTask();
      }
    }
  }
}
