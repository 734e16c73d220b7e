/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.LruCache;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.answers.BucketFailures;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends conditions where a bucket's policy demands them of every write or deletion (the policy keys
 * {@code s3:if-none-match} and {@code s3:if-match}). Such a bucket answers a plain request with
 * 403. So a plain request that was denied is sent again under a condition; if that succeeds, all
 * later ones have one from the start.
 *
 * <p>A write replaces what is at its key, also here: it is first tried as a new object, and if
 * there is one already, with the ETag of that one. So a new object takes one request, and another
 * one three.
 */
final class DemandedConditions {
  private static final Logger log = LoggerFactory.getLogger(DemandedConditions.class);

  /** Others would have to replace the object as often, each time between a HEAD and a PUT. */
  private static final int ROUNDS = 5;

  private final BucketFailures failures;
  private final SdkReads reads;
  private final Known known;

  /** Holds what is known of one bucket. */
  static final class Known {
    private volatile boolean onWrites;
    private volatile boolean onDeletions;
  }

  /** Keeps what an engine has found out about its buckets. */
  static final class Found {
    /** More buckets than a process uses at a time. A bucket beyond this limit is tried again. */
    private static final int MOST = 10_000;

    private final LruCache<String, Known> buckets = new LruCache<>(MOST);

    Known of(String endpoint, String bucket) {
      return buckets.computeIfAbsent(endpoint + " " + bucket, name -> new Known());
    }
  }

  DemandedConditions(BucketFailures failures, SdkReads reads, Known known) {
    this.failures = failures;
    this.reads = reads;
    this.known = known;
  }

  /** A write that is sent under a condition. */
  @FunctionalInterface
  interface Writing<T> {
    T under(Condition condition) throws IOException;
  }

  /** Writes, under another condition than asked for only if there is none and one is demanded. */
  <T> T write(Operation operation, String key, Condition condition, Writing<T> request)
      throws IOException {
    if (!condition.equals(Condition.NONE)) {
      return request.under(condition);
    }
    if (known.onWrites) {
      return replacingOrPlain(operation, key, request);
    }
    StoreException denied;
    try {
      return request.under(Condition.NONE);
    } catch (StoreException e) {
      requireDenied(e);
      denied = e;
    }
    try {
      return replacing(operation, key, request);
    } catch (StoreException e) {
      throw known.onWrites ? e : theMoreTelling(denied, e);
    }
  }

  /** A policy may be about some prefixes of the bucket only. */
  private <T> T replacingOrPlain(Operation operation, String key, Writing<T> request)
      throws IOException {
    try {
      return replacing(operation, key, request);
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      try {
        return request.under(Condition.NONE);
      } catch (StoreException plain) {
        e.addSuppressed(plain);
        throw e;
      }
    }
  }

  private <T> T replacing(Operation operation, String key, Writing<T> request) throws IOException {
    for (int round = 1; ; round++) {
      StoreException unmet;
      try {
        T answer = request.under(Condition.IF_ABSENT);
        writesNeedOne();
        return answer;
      } catch (StoreException e) {
        requireUnmet(e);
        writesNeedOne();
        unmet = e;
      }
      Optional<String> there = etag(key);
      if (there.isPresent()) {
        try {
          return request.under(Condition.ifMatch(there.get()));
        } catch (StoreException e) {
          if (e.kind() == Kind.ACCESS_DENIED) {
            throw e.because(
                "The bucket's policy accepts new objects (If-None-Match), but this key has an"
                    + " object, and the policy may not accept that it is replaced (If-Match).");
          }
          requireUnmet(e);
          unmet = e;
        }
      }
      if (round == ROUNDS) {
        throw there.isEmpty() ? unmet : conflict(operation, key);
      }
    }
  }

  private StoreException conflict(Operation operation, String key) {
    return StoreException.of(
        Kind.CONFLICT,
        operation,
        failures.object(key),
        "the bucket's policy demands a condition of every write, and others have replaced the"
            + " object each time before the condition could hold.");
  }

  /** Notes that a write under a condition is not denied, though a plain one was. */
  private void writesNeedOne() {
    if (!known.onWrites) {
      known.onWrites = true;
      log.info(
          "s3://{}: the bucket's policy demands a condition of every write. From now on Penstock"
              + " sends If-None-Match, and If-Match where it replaces an object, which takes three"
              + " requests instead of one.",
          failures.bucket());
    }
  }

  private Optional<String> etag(String key) throws IOException {
    try {
      return Optional.of(reads.head(key).etag());
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns true if a condition is known to be demanded of writes. */
  boolean isOnWrites() {
    return known.onWrites;
  }

  /** Returns true if a condition is known to be demanded of deletions. */
  boolean isOnDeletions() {
    return known.onDeletions;
  }

  /** Notes that a deletion under a condition is not denied, though a plain one was. */
  void deletionsNeedOne() {
    if (!known.onDeletions) {
      known.onDeletions = true;
      log.info(
          "s3://{}: the bucket's policy demands a condition of every deletion. From now on Penstock"
              + " sends If-Match.",
          failures.bucket());
    }
  }

  /**
   * Returns the failure to throw: the first denial, if the request is denied under a condition too
   * or the store does not know the condition.
   */
  static StoreException theMoreTelling(StoreException denied, StoreException again) {
    if (again.kind() == Kind.ACCESS_DENIED || again.kind() == Kind.UNSUPPORTED) {
      denied.addSuppressed(again);
      return denied;
    }
    again.addSuppressed(denied);
    return again;
  }

  private static void requireDenied(StoreException e) throws StoreException {
    if (e.kind() != Kind.ACCESS_DENIED) {
      throw e;
    }
  }

  /** Throws the failure unless it says that the condition did not hold. */
  private static void requireUnmet(StoreException e) throws StoreException {
    if (e.kind() != Kind.PRECONDITION_FAILED) {
      throw e;
    }
  }
}
