/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.recent.LogOnce;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.upload.ObjectWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an object like the {@link ObjectWriter} inside, and shows readers what was flushed before
 * it is complete. Writes, close and abort behave as those of the inner writer: what is shown is a
 * copy beside it, and its failures harm nothing but the readers' view. Nothing is shown ahead if
 * there is an object of this name already to which it does not {@link #append}, if the store has no
 * conditional writes or refuses what a view needs, if more is written between two views than stays
 * in memory, or if another writer has replaced what is shown.
 *
 * <p>Calls of the writing thread must not overlap; {@link #show} may be called by another one.
 */
public final class FlushedWriter extends OutputStream {
  public static final ConfigKey<Duration> INTERVAL =
      ConfigKey.duration("flush.interval")
          .defaultsTo("10s")
          .mustBe(
              "from 0s to 3650d",
              interval -> !interval.isNegative() && interval.compareTo(Duration.ofDays(3_650)) <= 0)
          .doc(
              "How long after hflush or hsync readers see what was written so far, or sooner if"
                  + " the file grows by 4 MiB; 0s: at once. Files of a commit are never shown this"
                  + " way.");

  private static final Logger LOG = LoggerFactory.getLogger(FlushedWriter.class);

  /**
   * Limits what a flushed file holds on the heap, beside what is being sent: what a log gains while
   * the store copies the gigabyte that is shown already.
   */
  static final int UNSHOWN_MAX = 32 << 20;

  /**
   * What is not shown yet is shown before its time if it is more than this and more than an eighth
   * of what is shown: each view copies that inside the store.
   */
  private static final int EARLY_LEAST = 4 << 20;

  private static final int EARLY_MOST = 16 << 20;

  private static final Duration EARLY_UP_TO = Duration.ofHours(1);

  /**
   * Failures that the next view would meet, too. Others pass: credentials are renewed, a clock is
   * set, a proxy answers for the store.
   */
  private static final Set<Kind> LASTING =
      Set.of(
          Kind.ACCESS_DENIED,
          Kind.INVALID_REQUEST,
          Kind.NO_SUCH_BUCKET,
          Kind.PARENT_IS_OBJECT,
          Kind.UNSUPPORTED);

  private static final String HEAP_IS_FULL = "the heap has no room for what is to be shown";
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Limits the wait of a close for a view under way, which it has cut. */
  private static final Duration CUT_MAX = Duration.ofSeconds(10);

  private static final Duration UNBOUNDED = Duration.ofDays(1_000);

  /** Limits the wait of an abort: a killed task's slot is needed. */
  private static final Duration ABORT_MAX = Duration.ofSeconds(1);

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
  private ByteArrayOutputStream unshown = new ByteArrayOutputStream();
  private volatile State state = State.UNUSED;
  private boolean isShowing;
  private boolean isAskedFor;
  private Optional<Runnable> early = Optional.empty();
  private LogOnce warnings = new LogOnce(1);

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
    this.preview = new Preview(store, key, writer.user(), writeIds);
  }

  /**
   * Lets the queue show what was written when it becomes much, flushed or not, unless the interval
   * is so long that only the end is to be shown. Call it before the first write.
   *
   * @param said the warnings of the process, each of which is given once
   */
  public void shownBy(FlushQueue queue, Duration interval, LogOnce said) {
    // Without an interval each flush shows all itself, and nobody else must be at it then.
    if (!interval.isZero() && interval.compareTo(EARLY_UP_TO) < 0) {
      early = Optional.of(() -> queue.showAfter(interval, this));
    }
    warnings = said;
  }

  /**
   * Returns a writer that adds to an object, and shows readers the longer object.
   *
   * @param old the object
   * @param writer one that adds to it
   */
  public static FlushedWriter append(
      ObjectStore store, ObjectMeta old, ObjectWriter writer, Supplier<String> writeIds) {
    Condition condition = Condition.ifMatch(old.etag());
    FlushedWriter file = new FlushedWriter(store, old.key(), writer, condition, writeIds);
    file.preview.extend(old);
    return file;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      writer.write(bytes, offset, length);
    } catch (IOException | RuntimeException | Error e) {
      if (state == State.FOLLOWING) {
        stop("a write failed", e); // Its bytes would be missing in what is shown.
      }
      throw e;
    }
    if (state == State.FOLLOWING) {
      follow(bytes, offset, length);
    }
  }

  private synchronized void follow(byte[] bytes, int offset, int length) {
    if (unshown.size() + (long) length > UNSHOWN_MAX) {
      stop("it has grown by more than 32 MiB since readers saw it last", null);
      return;
    }
    try {
      unshown.write(bytes, offset, length);
      if (isMuch() && !isAskedFor) {
        isAskedFor = true;
        early.ifPresent(Runnable::run);
      }
    } catch (OutOfMemoryError e) {
      // The writer has taken the bytes, so this write must not fail: it would be repeated.
      stop(HEAP_IS_FULL, e);
    }
  }

  /** Returns what the store keeps with the object. */
  public UserMetadata user() {
    return writer.user();
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
      stop("more was written before the first flush than is in memory, or a write failed", null);
      return;
    }
    int old = (int) (preview.shownBytes() - writer.beginning().sizeBytes());
    unshown.write(content.get(), old, content.get().length - old);
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
    unshown = new ByteArrayOutputStream(0);
    String sentence = name + ": readers see the rest of the file when it is closed, because " + why;
    if (cause == null) {
      LOG.info(sentence);
    } else if (warnings.isNew(why)) {
      LOG.warn("{}: {}", sentence, cause.toString());
    } else {
      LOG.info("{}: {}", sentence, cause.toString());
    }
  }

  /** Returns true if there may be something to show now or later. */
  boolean isFollowing() {
    return state == State.FOLLOWING;
  }

  /** Returns true if so much is not shown yet that it should be shown now. */
  synchronized boolean isMuch() {
    long limit = Math.min(EARLY_MOST, Math.max(EARLY_LEAST, preview.shownBytes() / 8));
    return early.isPresent() && unshown.size() > limit;
  }

  /**
   * Shows what was flushed, if that is not done already. Returns false if another thread is showing
   * an earlier part of it now.
   *
   * @throws IOException when it was not shown; the next call tries again
   */
  public boolean show() throws IOException {
    byte[] more;
    synchronized (this) {
      if (state == State.FOLLOWING && isShowing) {
        return false;
      }
      if (state != State.FOLLOWING || unshown.size() == 0) {
        return true;
      }
      more = unshown.toByteArray();
      unshown = new ByteArrayOutputStream();
      isShowing = true;
      isAskedFor = false;
    }
    long before = preview.shownBytes();
    try {
      showing.run(
          () -> {
            show(more, before);
            return null;
          });
    } catch (Preview.OccupiedException e) {
      stop("there is a file of this name already, which stays until then", null);
    } catch (Preview.ReplacedException e) {
      stop("another writer has replaced or deleted what was shown", e);
      throw e;
    } catch (StoreException e) {
      if (LASTING.contains(e.kind())) {
        stop("the store refuses it", e);
      }
      throw e;
    } finally {
      Optional<Upload> failed = preview.takeFailedUpload();
      ended(more, (int) (preview.shownBytes() - before));
      failed.ifPresent(preview::abort); // Takes long if the store does not answer.
    }
    return true;
  }

  private void show(byte[] more, long before) throws IOException {
    if (!store.supportsConditionalWrites(preview.key())) {
      stop("this store has no conditional writes", null);
      return;
    }
    try {
      showRest(more, before);
    } catch (Preview.LateException e) {
      LOG.debug("{}: a view has arrived late, and another one follows", name, e);
      showRest(more, before);
    }
  }

  private void showRest(byte[] more, long before) throws IOException {
    preview.settled(); // an earlier write whose answer was lost may have shown some of the bytes
    int already = (int) (preview.shownBytes() - before);
    if (already >= more.length) {
      return;
    }
    if (preview.isUpload() && !store.supportsConditionalCompletes(preview.key())) {
      stop("this store does not check conditions of uploads, and 5 MiB are shown", null);
      return;
    }
    preview.show(Arrays.copyOfRange(more, already, more.length));
  }

  /** Puts back what was not shown, before what was written meanwhile. */
  private synchronized void ended(byte[] more, int shown) {
    try {
      if (state != State.STOPPED && shown < more.length) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(more, shown, more.length - shown);
        unshown.writeTo(both);
        unshown = both;
      }
    } catch (IOException | OutOfMemoryError e) {
      stop(HEAP_IS_FULL, e);
    } finally {
      isShowing = false;
      notifyAll();
    }
  }

  /** Ends showing: cuts what is under way, and waits until it has ended, or for so long. */
  private synchronized void end(Duration atMost) {
    state = State.CLOSED;
    showing.cancel();
    boolean isInterrupted = false;
    for (long looks = atMost.dividedBy(LOOK); isShowing && looks > 0; looks--) {
      try {
        wait(LOOK.toMillis());
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
    // A late view replaces only what was shown before it, so only a new file must wait for it: its
    // close has to know which view it replaces.
    boolean mustKnow = !condition.equals(Condition.NONE);
    end(mustKnow ? UNBOUNDED : CUT_MAX);
    try {
      if (mustKnow) {
        lastShown().ifPresent(etag -> writer.closeIf(Condition.ifMatch(etag)));
      }
    } catch (IOException | RuntimeException | Error e) {
      try {
        writer.abort();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    unshown = new ByteArrayOutputStream(0);
    writer.close();
  }

  /**
   * Returns the ETag of what is shown. A view whose answer was lost may still arrive, and would
   * replace it; another view forestalls that.
   */
  private Optional<String> lastShown() throws IOException {
    Optional<String> etag = preview.settled();
    byte[] more = unshown.toByteArray();
    if (!preview.isUncertain() || more.length == 0) {
      return etag;
    }
    try {
      preview.show(more);
    } catch (Preview.LateException | Preview.OccupiedException | StoreException e) {
      LOG.debug("{}: the last view was not shown", name, e); // The close finds out the rest.
    } finally {
      preview.takeFailedUpload().ifPresent(preview::abort);
    }
    return preview.settled();
  }

  /** Discards what was written. What readers have seen stays. */
  public void abort() throws IOException {
    if (state == State.FOLLOWING || state == State.STOPPED) {
      end(ABORT_MAX);
    }
    writer.abort();
  }

  /** Returns the ETag of the complete object; empty before. */
  public Optional<String> etag() {
    return writer.etag();
  }

  /** Returns how many bytes the object will have if nothing more is written. */
  public long objectBytes() {
    return writer.objectBytes();
  }
}
