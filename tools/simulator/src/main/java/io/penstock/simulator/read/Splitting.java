/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.read;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.read.RangeSplitter;

/** The ways to split a range into requests. */
public enum Splitting {
  /** S3A's classic stream: a range is one request. */
  WHOLE("one request a range") {
    @Override
    long pieceBytes(TransferSpeed speed, long bytes, long nowNanos) {
      return bytes;
    }
  },

  /** The size that the guide of Amazon S3 recommends, whatever the store gives. */
  FIXED("pieces of 8 MiB") {
    @Override
    long pieceBytes(TransferSpeed speed, long bytes, long nowNanos) {
      return FIXED_BYTES;
    }
  },

  /** The production decider. */
  PENSTOCK("Penstock") {
    @Override
    long pieceBytes(TransferSpeed speed, long bytes, long nowNanos) {
      return RangeSplitter.pieceBytes(bytes, speed.requests(bytes, ReadRun.THREADS, nowNanos));
    }
  };

  private static final long FIXED_BYTES = 8 << 20;

  private final String title;

  Splitting(String title) {
    this.title = title;
  }

  /** Returns the name to show. */
  public String title() {
    return title;
  }

  abstract long pieceBytes(TransferSpeed speed, long bytes, long nowNanos);
}
