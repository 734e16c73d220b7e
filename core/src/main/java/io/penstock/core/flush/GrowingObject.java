/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.upload.ObjectWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes one object that readers may see before it is complete. Without a flush it is an {@link
 * ObjectWriter}. After a flush, it publishes from time to time what was written so far: as one PUT
 * of the whole up to 5 MiB, above that as an upload whose first part the store copies from what is
 * published, so that no byte is sent twice. Each publication replaces the object under the
 * condition that it is still the last one published, where the store has conditional writes; so of
 * two writers one fails.
 *
 * <p>A publication that fails, unless another writer was the reason, loses nothing: its bytes are
 * published with the next ones, at the latest at the close, which fails if that fails. The first
 * one cannot be repeated. Safe for many threads; a write waits for a publication only if 8 MiB are
 * unpublished.
 */
public final class GrowingObject extends OutputStream {
  public static final ConfigKey<Duration> INTERVAL =
      ConfigKey.duration("flush.interval")
          .defaultsTo("10s")
          .mustBe("at least 0s", interval -> !interval.isNegative())
          .doc(
              "How long after hflush or hsync readers see what was written so far; 0s: at once. A"
                  + " file is published at most so often. Files of a commit are never published"
                  + " this way.");

  /** A part that is not the last one must have as many bytes. */
  private static final long WHOLE_MAX = Part.MIN_SIZE_BYTES;

  /** What a stream holds on the heap at most, beside the part that is being sent. */
  private static final int UNPUBLISHED_MAX = 8 << 20;

  /** The store copies at most 5 GiB into a part; less is quicker. */
  private static final long COPY_MAX = 1L << 30;

  private final ObjectStore store;
  private final String key;
  private final Supplier<String> writeIds;
  private ObjectWriter first;
  private ByteArrayOutputStream unpublished = new ByteArrayOutputStream();
  private byte[] whole;
  private String etag;
  private long publishedBytes;
  private boolean isPublishing;
  private boolean isClosed;
  private Throwable broken;

  /**
   * @param store the store that the writer writes to, with its retries
   * @param first writes the object until the first publication
   * @param writeIds supplies unique ids, by which an object is recognised whose answer was lost
   */
  public GrowingObject(
      ObjectStore store, String key, ObjectWriter first, Supplier<String> writeIds) {
    this.store = store;
    this.key = key;
    this.first = first;
    this.writeIds = writeIds;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    boolean isFull;
    synchronized (this) {
      check();
      if (first != null) {
        first.write(bytes, offset, length);
        return;
      }
      unpublished.write(bytes, offset, length);
      isFull = unpublished.size() >= UNPUBLISHED_MAX;
    }
    if (isFull) {
      publish();
    }
  }

  private void check() throws IOException {
    if (isClosed) {
      throw new IOException("write to " + name() + " after it was closed");
    }
    if (broken != null) {
      throw new IOException(name() + " cannot be written any more", broken);
    }
  }

  private String name() {
    return "s3://" + store.bucket() + "/" + key;
  }

  /** Returns the ETag of what is published; empty before. */
  public synchronized Optional<String> etag() {
    return Optional.ofNullable(etag);
  }

  /** Returns how many bytes are published. */
  public synchronized long publishedBytes() {
    return publishedBytes;
  }

  /** Returns true if the object is not closed. */
  synchronized boolean isOpen() {
    return !isClosed;
  }

  /**
   * Publishes what was written so far. Waits for a publication under way. Does nothing if nothing
   * was written since the last one.
   *
   * @throws StoreException PRECONDITION_FAILED when another writer has changed the object; then no
   *     later call succeeds either
   */
  public void publish() throws IOException {
    ObjectWriter begun;
    byte[] more;
    synchronized (this) {
      awaitPublication();
      check();
      if (first == null && unpublished.size() == 0) {
        return;
      }
      begun = first;
      first = null;
      more = unpublished.toByteArray();
      unpublished = new ByteArrayOutputStream();
      isPublishing = true;
    }
    boolean isDone = false;
    try {
      if (begun != null) {
        begin(begun);
      } else {
        extend(more);
      }
      isDone = true;
    } catch (StoreException e) {
      boolean isOthers = begun == null && hasChanged(e);
      if (begun != null || isOthers) {
        breakWith(e);
      }
      throw isOthers ? changed(e) : e;
    } catch (IOException | RuntimeException | Error e) {
      if (begun != null) {
        breakWith(e);
      }
      throw e;
    } finally {
      ended(isDone ? new byte[0] : more);
    }
  }

  private void awaitPublication() throws IOException {
    try {
      while (isPublishing) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(name() + ": interrupted while it was flushed");
    }
  }

  /** Returns true if the object is another one than that which was published last. */
  private boolean hasChanged(StoreException failure) {
    if (failure.kind() == Kind.PRECONDITION_FAILED || failure.kind() == Kind.NO_SUCH_KEY) {
      return true;
    }
    if (failure.kind() != Kind.INVALID_REQUEST) { // such as a range beyond the end of the object
      return false;
    }
    try {
      return !store.head(key).etag().equals(etag);
    } catch (StoreException e) {
      return e.kind() == Kind.NO_SUCH_KEY;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private StoreException changed(StoreException failure) {
    return new StoreException(
        Kind.PRECONDITION_FAILED,
        Operation.PUT,
        name(),
        "another writer has replaced or deleted the file since it was last flushed. What was"
            + " written after that is not visible.",
        null,
        failure);
  }

  private synchronized void breakWith(Throwable failure) {
    broken = failure;
  }

  /** Puts back what was not published, before what was written meanwhile. */
  private synchronized void ended(byte[] notPublished) {
    if (notPublished.length > 0) {
      ByteArrayOutputStream both = new ByteArrayOutputStream();
      both.writeBytes(notPublished);
      both.writeBytes(unpublished.toByteArray());
      unpublished = both;
    }
    isPublishing = false;
    notifyAll();
  }

  private void begin(ObjectWriter writer) throws IOException {
    writer.close();
    published(writer.etag().orElseThrow(), writer.writtenBytes());
  }

  private synchronized void published(String newEtag, long bytes) {
    etag = newEtag;
    publishedBytes = bytes;
  }

  /** Publishes the object with more bytes at its end; called by one thread at a time. */
  private void extend(byte[] more) throws IOException {
    Condition condition =
        store.supportsConditionalWrites(key)
            ? Condition.ifMatch(etag).withWriteId(writeIds.get())
            : Condition.NONE;
    if (publishedBytes >= WHOLE_MAX) {
      published(appended(more, condition), publishedBytes + more.length);
      return;
    }
    if (whole == null) {
      whole =
          publishedBytes == 0
              ? new byte[0]
              : store.get(key, new ByteRange(0, publishedBytes), Optional.of(etag)).bytes();
    }
    byte[] all = java.util.Arrays.copyOf(whole, whole.length + more.length);
    System.arraycopy(more, 0, all, whole.length, more.length);
    published(store.put(key, Body.ofBytes(all), condition), all.length);
    whole = all.length < WHOLE_MAX ? all : null;
  }

  private String appended(byte[] more, Condition condition) throws IOException {
    Optional<String> writeId = condition.writeId();
    Upload upload = store.createUpload(key, writeId);
    try {
      PartNumbering numbering = store.traits().partNumbering();
      List<Part> parts = new ArrayList<>();
      long copies = (publishedBytes + COPY_MAX - 1) / COPY_MAX;
      for (long i = 0; i < copies; i++) {
        ByteRange range =
            new ByteRange(publishedBytes * i / copies, publishedBytes * (i + 1) / copies);
        parts.add(store.copyPart(upload, numbering.of(parts.size()).first(), key, range));
      }
      parts.add(store.uploadPart(upload, numbering.of(parts.size()), Body.ofBytes(more)));
      return store.completeUpload(new PendingUpload(upload, parts, writeId), condition);
    } catch (IOException | RuntimeException | Error e) {
      abort(upload, e);
      throw e;
    }
  }

  private void abort(Upload upload, Throwable cause) {
    try {
      store.abortUpload(upload);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Completes the object, as {@link ObjectWriter#close} does. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      awaitPublication();
      if (isClosed) {
        return;
      }
    }
    try {
      publish();
    } finally {
      synchronized (this) {
        isClosed = true;
      }
    }
  }

  /** Drops what is not published. What is published stays. */
  public void abort() throws IOException {
    ObjectWriter begun;
    synchronized (this) {
      awaitPublication();
      isClosed = true;
      unpublished.reset();
      begun = first;
      first = null;
    }
    if (begun != null) {
      begun.abort();
    }
  }
}
