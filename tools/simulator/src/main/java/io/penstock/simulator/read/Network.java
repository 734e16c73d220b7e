/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.read;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Connections that share a network equally, each limited by itself. All transfers have the same
 * speed at any time, so a transfer ends when each connection has given a known number of bytes.
 */
final class Network {
  private final double connectionBytesASecond;
  private final double networkBytesASecond;
  private final PriorityQueue<Transfer> transfers =
      new PriorityQueue<>(
          Comparator.comparingDouble(Transfer::endBytes).thenComparingLong(Transfer::number));

  /** The bytes that a transfer would have received if it had run from the start. */
  private double givenBytes;

  private long sinceNanos;
  private long begun;

  private record Transfer(double endBytes, long number, Runnable whenDone) {}

  Network(double connectionBytesASecond, double networkBytesASecond) {
    this.connectionBytesASecond = connectionBytesASecond;
    this.networkBytesASecond = networkBytesASecond;
  }

  /** Begins to transfer bytes; runs the action when they have arrived. */
  void begin(long bytes, long nowNanos, Runnable whenDone) {
    move(nowNanos);
    transfers.add(new Transfer(givenBytes + bytes, begun++, whenDone));
  }

  /** Returns when the next transfer ends if no other begins before; Long.MAX_VALUE for never. */
  long nextEndNanos() {
    if (transfers.isEmpty()) {
      return Long.MAX_VALUE;
    }
    double left = Math.max(0, transfers.peek().endBytes() - givenBytes);
    return sinceNanos + (long) Math.ceil(left / bytesASecond() * 1e9);
  }

  /** Ends the next transfer, at its time. */
  void end(long nowNanos) {
    move(nowNanos);
    transfers.remove().whenDone().run();
  }

  private void move(long nowNanos) {
    givenBytes += transfers.isEmpty() ? 0 : bytesASecond() * (nowNanos - sinceNanos) / 1e9;
    sinceNanos = nowNanos;
  }

  private double bytesASecond() {
    return Math.min(connectionBytesASecond, networkBytesASecond / transfers.size());
  }
}
