/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.CopiedBeginning;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.upload.PartPermits.Permit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sends the parts of one object, several at a time. One thread calls {@link #send}, and never a
 * thread of the pool. The call waits when the limit of parts under way or the limit of buffered
 * bytes of the process is reached. This wait is the back-pressure on the writer.
 */
final class PartSender {
  private static final String ABORTED = "the upload was aborted";

  /**
   * The size of the parts of an append where all must have one size: less than a part is read and
   * sent again. They are larger where there would be too many of them.
   */
  private static final long APPENDED_PART = 32L << 20;

  private final ObjectStore store;
  private final String key;
  private final Executor pool;
  private final PartPermits permits;
  private final PartNumbering numbering;
  private final Optional<String> writeId;
  private final UserMetadata user;
  private final Cancellation cancellation = new Cancellation(ABORTED);
  private final List<SentPart> parts = new ArrayList<>();
  private CopiedBeginning beginning = CopiedBeginning.NONE;
  private List<CompletableFuture<Part>> copies = List.of();
  private CompletableFuture<Upload> upload;
  private volatile boolean failed;
  private CompletableFuture<Void> dropped;

  /** The size of all parts but the last, once an append has chosen it; 0 before. */
  private long uniformBytes;

  /**
   * @param writeId the write id of the object; it identifies the object when the answer to its
   *     completion is lost
   * @param user what the store keeps with the object
   */
  PartSender(
      ObjectStore store,
      String key,
      Executor pool,
      PartPermits permits,
      Optional<String> writeId,
      UserMetadata user) {
    this.writeId = writeId;
    this.user = user;
    this.store = store;
    this.key = key;
    this.pool = pool;
    this.permits = permits;
    this.numbering = store.traits().partNumbering();
  }

  String key() {
    return key;
  }

  UserMetadata user() {
    return user;
  }

  ObjectStore store() {
    return store;
  }

  /** Returns the object's name for messages. */
  String name() {
    return "s3://" + store.bucket() + "/" + key;
  }

  /**
   * Begins the upload with what the object at the key has so far, and waits until the store has
   * copied that. Call this before the first {@link #send}.
   *
   * @param etag the ETag that the object must have
   */
  void beginWith(CopiedBeginning copied, String etag) throws IOException {
    requireFits(copied.parts());
    beginning = copied;
    synchronized (this) {
      start();
      copies = IntStream.range(0, copied.parts()).mapToObj(part -> copied(part, etag)).toList();
    }
    await(pending());
  }

  private void start() {
    // A request to create an upload is never cut off: the id of an upload that the store may have
    // created would be lost.
    Cancellation waits = cancellation.ofWaits();
    upload = Parallel.start(pool, () -> waits.run(this::createUpload));
  }

  /** Returns the beginning that the store copies. */
  CopiedBeginning beginning() {
    return beginning;
  }

  int partsSent() {
    return parts.size();
  }

  private int nextIndex() {
    return beginning.parts() + parts.size();
  }

  /**
   * Returns the size of the next part.
   *
   * @param firstBytes that of the first
   */
  long nextPartBytes(long firstBytes) {
    if (numbering.isUniform()) {
      return uniformBytes > 0 ? uniformBytes : firstBytes;
    }
    boolean fits = nextIndex() < numbering.partsMax();
    return PartSizes.ofPart(fits ? numbering.of(nextIndex()).first() : Part.MAX_NUMBER, firstBytes);
  }

  /**
   * Returns how much of an object the store copies if the object is the upload's beginning. Where
   * all parts must have one size, what fills no part is read, so parts are small, and as large as
   * leaves half of their numbers for what is added.
   */
  CopiedBeginning beginningOf(long objectBytes, long firstBytes) {
    if (!numbering.isUniform()) {
      return CopiedBeginning.of(objectBytes);
    }
    long half = numbering.partsMax() / 2;
    uniformBytes = Math.max(Math.min(firstBytes, APPENDED_PART), (objectBytes + half - 1) / half);
    return CopiedBeginning.inPartsOf(uniformBytes, objectBytes);
  }

  /** Takes over the block. Returns once there is room for the block among the parts under way. */
  void send(Block block) throws IOException {
    Runnable release = block::discard;
    try {
      requireFits(nextIndex());
      failFast();
      Permit permit = acquirePermit();
      release = () -> freed(block, permit);
      block.handOver();
      handOver(block, permit);
    } catch (IOException | RuntimeException | Error e) {
      release.run();
      throw e;
    }
  }

  private void requireFits(int parts) throws IOException {
    if (parts >= numbering.partsMax()) {
      throw new IOException(
          "s3://%s/%s does not fit into %,d parts; raise penstock.upload.part.size"
              .formatted(store.bucket(), key, numbering.partsMax()));
    }
  }

  private synchronized void handOver(Block block, Permit permit) throws IOException {
    if (dropped != null) {
      throw new IOException(name() + ": " + ABORTED);
    }
    if (upload == null) {
      start();
    }
    SentPart part = new SentPart(numbering.of(nextIndex()), block, permit);
    part.stored =
        upload.thenApplyAsync(part::sendNow, pool).whenComplete((stored, e) -> part.ended(e));
    parts.add(part);
  }

  private CompletableFuture<Part> copied(int part, String etag) {
    int number = numbering.of(part).first();
    ByteRange range = new ByteRange(beginning.start(part), beginning.start(part + 1));
    return upload
        .thenApplyAsync(created -> copied(created, number, range, etag), pool)
        .whenComplete((stored, e) -> noteFailure(e));
  }

  private Part copied(Upload created, int number, ByteRange range, String etag) {
    try {
      return cancellation.run(() -> store.copyPart(created, number, key, range, Optional.of(etag)));
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void noteFailure(Throwable failure) {
    if (failure != null) {
      failed = true;
    }
  }

  private Upload createUpload() throws IOException {
    try {
      return store.createUpload(key, writeId, user);
    } catch (StoreException e) {
      Optional<String> doubt = KeyLimits.doubt(key);
      throw e.kind().retry() != Retry.SAFE && doubt.isPresent() ? e.because(doubt.get()) : e;
    }
  }

  /** A part that was submitted to the pool. */
  private final class SentPart {
    private final PartNumbers numbers;
    private final Block block;
    private final Permit permit;
    private CompletableFuture<Part> stored;
    private boolean isUnderWay;
    private boolean isFreed;

    SentPart(PartNumbers numbers, Block block, Permit permit) {
      this.numbers = numbers;
      this.block = block;
      this.permit = permit;
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
      noteFailure(failure);
      free();
    }

    private synchronized void free() {
      if (!isFreed) {
        isFreed = true;
        freed(block, permit);
      }
    }

    /**
     * Gives back the part's memory, disk and permit, unless the part is under way and will do so
     * soon.
     */
    synchronized void giveUp() {
      if (!isUnderWay) {
        free();
      }
    }

    synchronized boolean isUnderWay() {
      return isUnderWay;
    }
  }

  private Permit acquirePermit() throws IOException {
    try {
      return permits.acquire();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static void freed(Block block, Permit permit) {
    try {
      block.discard();
    } finally {
      permit.release();
    }
  }

  /** Returns a future of the upload. It completes only when all parts are in the store. */
  synchronized CompletableFuture<PendingUpload> pending() {
    List<CompletableFuture<Part>> all =
        Stream.concat(copies.stream(), parts.stream().map(part -> part.stored)).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(
            done ->
                new PendingUpload(
                    upload.join(), all.stream().map(CompletableFuture::join).toList(), writeId));
  }

  /** Writes the whole object with one request and returns its ETag. */
  String putWhole(Block block, Condition condition) throws IOException {
    try {
      block.handOverToOwnThread();
      return store.put(key, block.body().with(user), condition);
    } finally {
      block.discard();
    }
  }

  /** Completes the upload and returns the object's ETag. */
  String complete(Condition condition) throws IOException {
    return store.completeUpload(await(pending()), condition);
  }

  /** Drops the upload and waits for the drop as long as {@link AbortQueue} allows. */
  void abort() throws IOException {
    AbortQueue.await(List.of(drop()));
  }

  /**
   * Begins to drop the upload. Waiting parts are given up, and requests whose content is still
   * being sent are cut off. When no request is under way any more, the pool aborts the upload.
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
        Stream.concat(
                copies.stream(),
                parts.stream().filter(SentPart::isUnderWay).map(part -> part.stored))
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(underWay)
        .handle((ended, failure) -> null)
        .thenCombine(upload.handle((created, failure) -> created), (ended, created) -> created)
        .thenAcceptAsync(this::abortUpload, this::runAtAnyPrice);
  }

  /**
   * Runs the work on the calling thread if the pool cannot start a thread for it, so that no upload
   * is left behind.
   */
  private void runAtAnyPrice(Runnable work) {
    try {
      pool.execute(work);
    } catch (RuntimeException | Error e) {
      work.run();
    }
  }

  /**
   * @param created the upload; null when there is none
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

  /** Waits for a step that runs in the pool, and throws the step's failure. */
  static <T> T await(CompletableFuture<T> step) throws IOException {
    try {
      return Cancellation.await(step);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failure) {
        // The new stack trace shows the waiting thread, its cause the failed one.
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
