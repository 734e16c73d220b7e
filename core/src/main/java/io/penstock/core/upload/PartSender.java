/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Part;
import io.penstock.core.store.PartNumbering;
import io.penstock.core.store.PartNumbers;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends the parts of one object, several at a time. {@link #send} is called by one thread, never
 * one of the pool; when as many parts are under way as may be, or the process has as much buffered
 * as it may, it waits: that is the back-pressure on the writer.
 */
final class PartSender {
  private static final String ABORTED = "the upload was aborted";

  private final ObjectStore store;
  private final String key;
  private final Executor pool;
  private final Semaphore permits;
  private final PartNumbering numbering;
  private final Optional<String> writeId;
  private final Cancellation cancellation = new Cancellation(ABORTED);
  private final List<SentPart> parts = new ArrayList<>();
  private CompletableFuture<Upload> upload;
  private volatile boolean failed;
  private CompletableFuture<Void> dropped;

  /**
   * @param writeId of the object, by which it is known when the answer to its completion is lost
   */
  PartSender(
      ObjectStore store, String key, Executor pool, int partsActive, Optional<String> writeId) {
    this.writeId = writeId;
    this.store = store;
    this.key = key;
    this.pool = pool;
    this.permits = new Semaphore(partsActive);
    this.numbering = store.partNumbering();
  }

  String key() {
    return key;
  }

  ObjectStore store() {
    return store;
  }

  /** The object as messages name it. */
  String name() {
    return "s3://" + store.bucket() + "/" + key;
  }

  int partsSent() {
    return parts.size();
  }

  /** Returns the number that the next part will have, or the first of its numbers. */
  int nextNumber() {
    return parts.size() < numbering.partsMax()
        ? numbering.of(parts.size()).first()
        : Part.MAX_NUMBER;
  }

  /** Takes over the block and returns once there is room for it among the parts under way. */
  void send(Block block) throws IOException {
    Runnable release = block::discard;
    try {
      if (parts.size() == numbering.partsMax()) {
        throw new IOException(
            "s3://%s/%s is larger than %,d parts hold; raise upload.part.size"
                .formatted(store.bucket(), key, numbering.partsMax()));
      }
      failFast();
      acquirePermit();
      release = () -> freed(block);
      block.handOver();
      handOver(block);
    } catch (IOException | RuntimeException | Error e) {
      release.run();
      throw e;
    }
  }

  private synchronized void handOver(Block block) throws IOException {
    if (dropped != null) {
      throw new IOException(name() + ": " + ABORTED);
    }
    if (upload == null) {
      // Not cut under way: nobody would know the upload that the store may have created.
      Cancellation waits = cancellation.ofWaits();
      upload = Parallel.start(pool, () -> waits.run(() -> store.createUpload(key, writeId)));
    }
    SentPart part = new SentPart(numbering.of(parts.size()), block);
    part.stored =
        upload.thenApplyAsync(part::sendNow, pool).whenComplete((stored, e) -> part.ended(e));
    parts.add(part);
  }

  /** A part that was handed to the pool. */
  private final class SentPart {
    private final PartNumbers numbers;
    private final Block block;
    private CompletableFuture<Part> stored;
    private boolean isUnderWay;
    private boolean isFreed;

    SentPart(PartNumbers numbers, Block block) {
      this.numbers = numbers;
      this.block = block;
    }

    private Part sendNow(Upload created) {
      try {
        begin();
        return cancellation.run(() -> store.uploadPart(created, numbers, block.body()));
      } catch (IOException e) {
        throw new CompletionException(e);
      }
    }

    private synchronized void begin() throws IOException {
      if (isFreed) {
        throw new InterruptedIOException(ABORTED);
      }
      isUnderWay = true;
    }

    private void ended(Throwable failure) {
      if (failure != null) {
        failed = true;
      }
      free();
    }

    private synchronized void free() {
      if (!isFreed) {
        isFreed = true;
        freed(block);
      }
    }

    /** Gives back what the part holds, unless it is under way and will do so soon. */
    synchronized void giveUp() {
      if (!isUnderWay) {
        free();
      }
    }

    synchronized boolean isUnderWay() {
      return isUnderWay;
    }
  }

  private void acquirePermit() throws IOException {
    try {
      while (!permits.tryAcquire(Cancellation.LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        Cancellation.checkCurrent();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void freed(Block block) {
    try {
      block.discard();
    } finally {
      permits.release();
    }
  }

  /** The upload once all its parts are in the store; never completes before them. */
  synchronized CompletableFuture<PendingUpload> pending() {
    List<CompletableFuture<Part>> all = parts.stream().map(part -> part.stored).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(
            done ->
                new PendingUpload(
                    upload.join(), all.stream().map(CompletableFuture::join).toList(), writeId));
  }

  /** Writes the whole object by one request and returns its ETag. */
  String putWhole(Block block, Condition condition) throws IOException {
    try {
      block.handOverToOwnThread();
      return store.put(key, block.body(), condition);
    } finally {
      block.discard();
    }
  }

  /** Makes the object of the parts and returns its ETag. */
  String complete(Condition condition) throws IOException {
    return store.completeUpload(await(pending()), condition);
  }

  /** Drops what was sent, and waits for that as long as {@link Drops} says. */
  void abort() throws IOException {
    Drops.await(List.of(drop()));
  }

  /**
   * Begins to drop what was sent. Parts that wait are given up, those whose content is still being
   * sent are cut, and once nothing is under way any more the upload is aborted, by the pool.
   */
  synchronized CompletableFuture<Void> drop() {
    if (dropped == null) {
      cancellation.cancel();
      parts.forEach(SentPart::giveUp);
      dropped = upload == null ? CompletableFuture.completedFuture(null) : dropUpload();
    }
    return dropped;
  }

  private CompletableFuture<Void> dropUpload() {
    CompletableFuture<?>[] underWay =
        parts.stream()
            .filter(SentPart::isUnderWay)
            .map(part -> part.stored)
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(underWay)
        .handle((ended, failure) -> null)
        .thenCombine(upload.handle((created, failure) -> created), (ended, created) -> created)
        .thenAcceptAsync(this::abortUpload, this::runAtAnyPrice);
  }

  /** A pool that takes no more work, for want of a thread, must not leave an upload behind. */
  private void runAtAnyPrice(Runnable work) {
    try {
      pool.execute(work);
    } catch (RuntimeException | Error e) {
      work.run();
    }
  }

  /**
   * @param created null when there is no upload
   */
  private void abortUpload(Upload created) {
    try {
      if (created != null) {
        store.abortUpload(created);
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void failFast() throws IOException {
    if (failed) {
      await(pending());
    }
  }

  /** Waits for a step that runs in the pool, and fails as it failed. */
  static <T> T await(CompletableFuture<T> step) throws IOException {
    try {
      return Cancellation.await(step);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failure) {
        // A new object: the stack should show who waited, and the old one who failed.
        throw failure.rethrown();
      }
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  private static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure = new InterruptedIOException("interrupted while uploading");
    failure.initCause(cause);
    return failure;
  }
}
