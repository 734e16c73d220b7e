/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Retry;
import io.penstock.core.upload.ObjectWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an object like the {@link ObjectWriter} inside, and shows readers what was flushed before
 * it is complete. Writes, close and abort behave as those of the inner writer: what is shown is a
 * copy beside it, and its failures harm nothing but the readers' view. Nothing is shown ahead if
 * the store has no conditional writes or refuses what a view needs, if more than 8 MiB are written
 * between two views, or if another writer has replaced what is shown.
 *
 * <p>Calls of the writing thread must not overlap; {@link #show} may be called by another one.
 */
public final class FlushedWriter extends OutputStream {
  public static final ConfigKey<Duration> INTERVAL =
      ConfigKey.duration("flush.interval")
          .defaultsTo("10s")
          .mustBe("at least 0s", interval -> !interval.isNegative())
          .doc(
              "How long after hflush or hsync readers see what was written so far, and the least"
                  + " time between two such views of a file; 0s: at once. Files of a commit are"
                  + " never shown this way.");

  private static final Logger LOG = LoggerFactory.getLogger(FlushedWriter.class);

  /** Limits what a flushed file holds on the heap, beside what is being sent. */
  private static final int UNSHOWN_MAX = 8 << 20;

  private enum State {
    /** Nothing was flushed yet. */
    UNUSED,
    FOLLOWING,
    /** Readers see no more before the close. */
    STOPPED,
    CLOSED
  }

  private final ObjectStore store;
  private final String name;
  private final ObjectWriter writer;
  private final Condition condition;
  private final Preview preview;
  private final Cancellation showing = new Cancellation("the file was closed");
  private final ByteArrayOutputStream unshown = new ByteArrayOutputStream();
  private volatile State state = State.UNUSED;
  private boolean isShowing;

  /**
   * @param store the store that the writer writes to
   * @param condition that of the writer
   * @param writeIds supplies unique ids
   */
  public FlushedWriter(
      ObjectStore store,
      String key,
      ObjectWriter writer,
      Condition condition,
      Supplier<String> writeIds) {
    this.store = store;
    this.name = "s3://" + store.bucket() + "/" + key;
    this.writer = writer;
    this.condition = condition;
    this.preview = new Preview(store, key, condition, writeIds);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    writer.write(bytes, offset, length);
    if (state == State.FOLLOWING) {
      follow(bytes, offset, length);
    }
  }

  private synchronized void follow(byte[] bytes, int offset, int length) {
    if (unshown.size() + (long) length > UNSHOWN_MAX) {
      stop("it grows by more than 8 MiB between two views", null);
    } else {
      unshown.write(bytes, offset, length);
    }
  }

  /**
   * Lets {@link #show} show what was written so far. Returns false if nothing can be shown before
   * the close.
   */
  public boolean flushed() throws IOException {
    if (state == State.UNUSED) {
      begin();
    }
    return state == State.FOLLOWING;
  }

  private synchronized void begin() throws IOException {
    Optional<byte[]> content = writer.contentSoFar(UNSHOWN_MAX);
    if (content.isEmpty()) {
      stop("more than 8 MiB were written before the first flush", null);
      return;
    }
    unshown.writeBytes(content.get());
    state = State.FOLLOWING;
  }

  /**
   * Shows no more before the close.
   *
   * @param cause what the user may have to mend; null if there is nothing
   */
  private synchronized void stop(String why, Throwable cause) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.STOPPED;
    unshown.reset();
    String sentence = name + ": readers see the rest of the file when it is closed, because " + why;
    if (cause == null) {
      LOG.info(sentence);
    } else {
      LOG.warn("{}: {}", sentence, cause.toString());
    }
  }

  /** Returns true if there may be something to show now or later. */
  boolean isFollowing() {
    return state == State.FOLLOWING;
  }

  /**
   * Shows what was flushed. Does nothing if that is done already, or by another thread now.
   *
   * @throws IOException when it was not shown; the next call tries again
   */
  public void show() throws IOException {
    byte[] more;
    synchronized (this) {
      if (state != State.FOLLOWING || isShowing || unshown.size() == 0) {
        return;
      }
      more = unshown.toByteArray();
      unshown.reset();
      isShowing = true;
    }
    long before = preview.shownBytes();
    try {
      showing.run(
          () -> {
            show(more, before);
            return null;
          });
    } catch (Preview.ReplacedException e) {
      stop("another writer has replaced or deleted what was shown", e);
      throw e;
    } catch (StoreException e) {
      if (e.kind().retry() == Retry.NEVER) { // such as a missing permission
        stop("the store refuses it", e);
      }
      throw e;
    } finally {
      ended(more, (int) (preview.shownBytes() - before));
    }
  }

  private void show(byte[] more, long before) throws IOException {
    if (!store.supportsConditionalWrites(preview.key())) {
      stop("this store has no conditional writes", null);
      return;
    }
    preview.settled(); // an earlier write whose answer was lost may have shown some of the bytes
    int already = (int) (preview.shownBytes() - before);
    if (already < more.length) {
      preview.show(Arrays.copyOfRange(more, already, more.length));
    }
  }

  /** Puts back what was not shown, before what was written meanwhile. */
  private synchronized void ended(byte[] more, int shown) {
    if (state == State.FOLLOWING && shown < more.length) {
      byte[] later = unshown.toByteArray();
      unshown.reset();
      unshown.write(more, shown, more.length - shown);
      unshown.writeBytes(later);
    }
    isShowing = false;
    notifyAll();
  }

  /** Ends showing, and waits until nothing is under way; it is cut. */
  private synchronized void end() {
    state = State.CLOSED;
    unshown.reset();
    showing.cancel();
    boolean isInterrupted = false;
    while (isShowing) {
      try {
        wait();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Completes the object, as {@link ObjectWriter#close} does. */
  @Override
  public void close() throws IOException {
    if (state == State.UNUSED || state == State.CLOSED) {
      writer.close();
      return;
    }
    end();
    try {
      if (!condition.equals(Condition.NONE)) {
        // The condition was that of the first view.
        preview.settled().ifPresent(etag -> writer.closeIf(Condition.ifMatch(etag)));
      }
    } catch (IOException | RuntimeException | Error e) {
      try {
        writer.abort();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    writer.close();
  }

  /** Discards what was written. What readers have seen stays. */
  public void abort() throws IOException {
    if (state == State.FOLLOWING || state == State.STOPPED) {
      end();
    }
    writer.abort();
  }

  /** Returns the ETag of the complete object; empty before. */
  public Optional<String> etag() {
    return writer.etag();
  }

  public long writtenBytes() {
    return writer.writtenBytes();
  }
}
