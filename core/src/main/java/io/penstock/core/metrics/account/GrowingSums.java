/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.store.Operation;

/**
 * Sums that grow in place, since each request adds to two of them. Used under the lock of its
 * owner.
 */
final class GrowingSums {
  /** List price of a PUT, COPY, POST or LIST on S3 Standard in us-east-1: $5 a million. */
  private static final long WRITE_NANO_DOLLARS = 5_000;

  /** List price of a GET or HEAD there: $0.40 a million. */
  private static final long READ_NANO_DOLLARS = 400;

  private long reads;
  private long writes;
  private long lists;
  private long deletes;
  private long misses;
  private long failed;
  private long throttled;
  private long repeats;
  private long hedges;
  private long sentBytes;
  private long receivedBytes;
  private long busyNanos;
  private long waits;
  private long waitedNanos;
  private long nanoDollars;

  /** Adds an attempt that has ended. */
  void add(Operation operation, Attempted attempt) {
    long price = count(operation);
    switch (attempt.end()) {
      case OK -> {}
      case MISS -> misses++;
      case FAILED -> failed++;
      case THROTTLED -> throttled++;
    }
    repeats += attempt.isRepeat() ? 1 : 0;
    hedges += attempt.isHedge() ? 1 : 0;
    sentBytes += attempt.sentBytes();
    receivedBytes += attempt.receivedBytes();
    busyNanos += attempt.nanos();
    // AWS bills no answer of the kind 5xx. What failed otherwise has most often not arrived.
    boolean isBilled = attempt.end() == End.OK || attempt.end() == End.MISS;
    nanoDollars += isBilled ? price : 0;
  }

  /** Counts a request. Returns its price in billionths of a dollar; deletions have none. */
  private long count(Operation operation) {
    return switch (operation) {
      case GET, HEAD -> {
        reads++;
        yield READ_NANO_DOLLARS;
      }
      case PUT, COPY, CREATE_UPLOAD, UPLOAD_PART, COPY_PART, COMPLETE_UPLOAD -> {
        writes++;
        yield WRITE_NANO_DOLLARS;
      }
      case LIST, LIST_UPLOADS, LIST_PARTS -> {
        lists++;
        yield WRITE_NANO_DOLLARS;
      }
      case DELETE, DELETE_ALL, ABORT_UPLOAD -> {
        deletes++;
        yield 0;
      }
    };
  }

  /** Adds a wait for a permit. */
  void addWait(long nanos) {
    waits++;
    waitedNanos += nanos;
  }

  RequestSums sums() {
    return new RequestSums(
        reads,
        writes,
        lists,
        deletes,
        misses,
        failed,
        throttled,
        repeats,
        hedges,
        sentBytes,
        receivedBytes,
        busyNanos,
        waits,
        waitedNanos,
        nanoDollars);
  }
}
