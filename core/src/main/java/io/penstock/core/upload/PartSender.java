/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.pool.Parallel;
import io.penstock.core.pool.Shielded;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Sends the parts of one object, several at a time. {@link #send} is called by one thread, never
 * one of the pool; when as many parts are under way as may be, or the process has as much buffered
 * as it may, it waits: that is the back-pressure on the writer.
 */
final class PartSender {
  private final ObjectStore store;
  private final String key;
  private final Executor pool;
  private final Semaphore permits;
  private final PartNumbering numbering;
  private final List<CompletableFuture<Part>> parts = new ArrayList<>();
  private CompletableFuture<Upload> upload;
  private volatile boolean aborted;
  private volatile boolean failed;
  private boolean dropped;

  PartSender(ObjectStore store, String key, Executor pool, int partsActive) {
    this.store = store;
    this.key = key;
    this.pool = pool;
    this.permits = new Semaphore(partsActive);
    this.numbering = store.partNumbering();
  }

  String key() {
    return key;
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
      handOver(block, release);
    } catch (IOException | RuntimeException | Error e) {
      release.run();
      throw e;
    }
  }

  private void handOver(Block block, Runnable release) {
    if (upload == null) {
      upload = Parallel.start(pool, () -> store.createUpload(key));
    }
    PartNumbers numbers = numbering.of(parts.size());
    parts.add(
        upload
            .thenApplyAsync(created -> sendNow(created, numbers, block), pool)
            .whenComplete(
                (part, failure) -> {
                  if (failure != null) {
                    failed = true;
                  }
                  release.run();
                }));
  }

  private void acquirePermit() throws IOException {
    try {
      permits.acquire();
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

  private Part sendNow(Upload created, PartNumbers numbers, Block block) {
    try {
      if (aborted) {
        throw new InterruptedIOException("the upload was aborted");
      }
      return store.uploadPart(created, numbers, block.body());
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  /** The upload once all its parts are in the store; never completes before them. */
  CompletableFuture<PendingUpload> pending() {
    CompletableFuture<?>[] all = parts.toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all)
        .thenApply(
            done ->
                new PendingUpload(
                    upload.join(), parts.stream().map(CompletableFuture::join).toList()));
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

  /** Drops what was sent, once nothing is under way any more. */
  synchronized void abort() throws IOException {
    aborted = true;
    if (upload == null || dropped) {
      return;
    }
    for (CompletableFuture<Part> part : parts) {
      part.handle((ok, failure) -> null).join();
    }
    if (!upload.isCompletedExceptionally()) {
      Shielded.run(() -> store.abortUpload(upload.join()));
    }
    dropped = true;
  }

  private void failFast() throws IOException {
    if (failed) {
      await(pending());
    }
  }

  /** Waits for a step that runs in the pool, and fails as it failed. */
  static <T> T await(CompletableFuture<T> step) throws IOException {
    try {
      return step.get();
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
