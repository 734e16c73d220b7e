/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.bench;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A bucket with any number of objects and uploads, of which it keeps nothing but counts; the
 * intents of commits are real objects. It throttles what comes above a limit, as S3 does with each
 * partition: a quarter of a second of unused rate is saved up, and a rejection costs a bit of it.
 */
final class BulkStore extends StoreWrapper {
  static final String BUCKET = "bulk";
  static final String TABLE = "lake/orders/";
  private static final double SAVED_SECONDS = 0.25;
  private static final double REJECTION_COST = 0.25;
  private static final BulkStore PROCESS = new BulkStore();
  private static final String ETAG = "d41d8cd98f00b204e9800998ecf8427e";

  private volatile long limit = Long.MAX_VALUE;
  private volatile long latencyNanos;
  private volatile long objects;
  private volatile long failAt = Long.MAX_VALUE;
  private volatile LongConsumer watch = count -> {};
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong deleted = new AtomicLong();
  private double tokens;
  private long filledNanos = System.nanoTime();

  private BulkStore() {
    super(new InMemoryStore(BUCKET, SystemTime.INSTANCE));
  }

  static BulkStore process() {
    return PROCESS;
  }

  /**
   * Begins anew.
   *
   * @param limit requests a second, of those that change data
   * @param latencyNanos of each request that makes a file visible
   * @param objects that are at the table
   * @param failAt number of the file that is refused for good
   * @param watch told of each file's number
   */
  void reset(long limit, long latencyNanos, long objects, long failAt, LongConsumer watch) {
    this.limit = limit;
    this.latencyNanos = latencyNanos;
    this.objects = objects;
    this.failAt = failAt;
    this.watch = watch;
    completed.set(0);
    deleted.set(0);
  }

  long completed() {
    return completed.get();
  }

  long deleted() {
    return deleted.get();
  }

  static String key(String kind, long number) {
    // As Spark names them, in the directories of a partitioned table.
    return TABLE
        + "day=%02d/part-%06d-%s-4c6c-8a3e-1f0b3d7ad8aa.c000.snappy.parquet"
            .formatted(number % 28, number, kind);
  }

  private synchronized boolean isOverLimit() {
    long now = System.nanoTime();
    double gained = (now - filledNanos) / 1e9 * limit;
    filledNanos = now;
    tokens = Math.min(limit * SAVED_SECONDS, tokens + gained);
    boolean isOver = tokens < 1;
    tokens -= isOver ? REJECTION_COST : 1;
    return isOver;
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    makeVisible(Operation.COMPLETE_UPLOAD, pending.key());
    return ETAG + "-1";
  }

  private void makeVisible(Operation operation, String key) throws StoreException {
    LockSupport.parkNanos(latencyNanos);
    if (isOverLimit()) {
      throw StoreException.of(Kind.THROTTLED, operation, key, "SlowDown");
    }
    long number = completed.incrementAndGet();
    if (number == failAt) {
      throw StoreException.of(Kind.ACCESS_DENIED, operation, key, "refused, as was asked");
    }
    watch.accept(number);
  }

  @Override
  public void abortUpload(Upload upload) {
    // It keeps none.
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    if (key.startsWith(TABLE + "day=")) {
      try (InputStream content = body.open()) {
        content.transferTo(OutputStream.nullOutputStream());
      }
      makeVisible(Operation.PUT, key);
      return ETAG;
    }
    // What an intent holds beside its first object is the store's to keep, not the driver's.
    return super.put(key, key.contains("-0") ? Body.empty() : body, condition);
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    if (!keys.keySet().iterator().next().contains("_penstock_")) {
      deleted.addAndGet(keys.size());
      return Map.of();
    }
    return super.deleteAll(keys);
  }

  @Override
  public ListPage list(ListRequest request) throws IOException {
    if (!request.prefix().equals(TABLE)) {
      return super.list(request);
    }
    long start = request.token().map(Long::parseLong).orElse(0L);
    long end = Math.min(objects, start + request.maxKeys());
    List<ObjectMeta> page = new ArrayList<>();
    for (long number = start; number < end; number++) {
      page.add(new ObjectMeta(key("0ld0", number), 1, ETAG, Instant.EPOCH));
    }
    Optional<String> next = end < objects ? Optional.of(Long.toString(end)) : Optional.empty();
    return new ListPage(page, List.of(), next);
  }
}
