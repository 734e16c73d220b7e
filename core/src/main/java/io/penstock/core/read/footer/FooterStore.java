/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Saves requests for data files that are written once, under a name that no other file gets.
 * Readers of Parquet, ORC and Avro ask for the status of a file and then for its last bytes. Here
 * the status comes with the last bytes, in one request, and another reader of the same file gets
 * both without a request for the next seconds.
 *
 * <p>The bytes of such a file are not outdated. A file that another process has deleted may be
 * reported as present for these seconds. So this view is for reads; whoever decides what to write,
 * rename or delete asks the store itself. {@link FooterForgetter} forgets what this process
 * changes.
 */
public final class FooterStore extends StoreWrapper {
  /** Larger answers are not kept: they are the content of a file and not its footer. */
  private static final long KEPT_MAX_BYTES = 1 << 20;

  /**
   * A status asks for no more bytes than this, whatever the settings of reads are, except for whole
   * files.
   */
  private static final long FOOTER_MAX_BYTES = 64 << 10;

  private final Object owner = new Object();
  private final Footers footers;
  private final TailBytes tails;
  private final Predicate<String> isWrittenOnce;
  private final LongSupplier requestBytes;

  /**
   * @param footers what this view keeps is found only by this view, as its users may have rights
   *     that others do not have
   * @param isWrittenOnce returns true for a key whose object is never written again
   * @param footerBytes the number of last bytes that usually contain a footer; at most 64 KiB are
   *     used
   * @param requestBytes returns how many bytes arrive in the time that another request would take;
   *     a file of up to this size is read whole if the files of its table are so small
   */
  public FooterStore(
      ObjectStore inner,
      Footers footers,
      Predicate<String> isWrittenOnce,
      long footerBytes,
      LongSupplier requestBytes) {
    super(inner);
    this.footers = footers;
    this.isWrittenOnce = isWrittenOnce;
    this.tails = new TailBytes(Math.min(FOOTER_MAX_BYTES, footerBytes));
    this.requestBytes = requestBytes;
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    if (!isWrittenOnce.test(key)) {
      return inner.head(key);
    }
    Optional<ObjectSlice> fresh = footers.find(owner, name(key), Optional.empty());
    if (fresh.isPresent()) {
      return fresh.get().meta();
    }
    try {
      return fetchTail(key, new SuffixRange(tailBytes(key)), Optional.empty()).meta();
    } catch (StoreException e) {
      if (mayHaveStatus(e.kind())) {
        return inner.head(key);
      }
      throw e;
    }
  }

  /**
   * Returns how many of a file's last bytes should come with its status: those of a footer, or all
   * where the files of its table are small.
   */
  public long tailBytes(String key) {
    if (!isWrittenOnce.test(key)) {
      return tails.of(key, 0); // Nothing is kept of it, so its last bytes are the best guess.
    }
    long keptBytes = Math.min(KEPT_MAX_BYTES, footers.shareBytes());
    return tails.of(key, Math.min(requestBytes.getAsLong(), keptBytes));
  }

  /**
   * Returns how many of the last bytes should be read together, of a file whose size the reader
   * knows without a request: as {@link #tailBytes(String)}, and no more than there are.
   */
  public long tailBytes(String key, long sizeBytes) {
    tails.saw(key, sizeBytes);
    return Math.min(sizeBytes, tailBytes(key));
  }

  /**
   * Returns true if the object may have a status although its last bytes cannot be read: it is
   * empty or archived, or encrypted with a key that the reader may not use.
   */
  private static boolean mayHaveStatus(Kind kind) {
    return switch (kind) {
      case RANGE_NOT_SATISFIABLE, ACCESS_DENIED, INVALID_REQUEST, UNSUPPORTED -> true;
      default -> false;
    };
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    if (!isWrittenOnce.test(key)) {
      return inner.get(key, range, ifMatch);
    }
    Optional<ObjectSlice> kept =
        footers.find(owner, name(key), ifMatch).flatMap(slice -> part(slice, range));
    if (range instanceof SuffixRange tail) {
      return kept.isPresent() ? kept.get() : fetchTail(key, tail, ifMatch);
    }
    if (kept.isPresent()) {
      tails.used(key);
      return kept.get();
    }
    ObjectSlice fetched = fetch(key, range, ifMatch);
    if (fetched.end() < fetched.meta().sizeBytes()) { // Otherwise it may be a footer.
      tails.used(key);
    }
    return fetched;
  }

  @Override
  public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    if (!isWrittenOnce.test(key)) {
      return inner.read(key, range, etag, sink);
    }
    tails.used(key);
    Optional<ObjectSlice> kept =
        footers.find(owner, name(key), Optional.of(etag)).flatMap(slice -> part(slice, range));
    if (kept.isEmpty()) {
      return inner.read(key, range, etag, sink);
    }
    ObjectSlice slice = kept.get();
    sink.take(slice.start(), slice.bytes(), 0, slice.bytes().length);
    return new ReadResult(slice.meta(), new ByteRange(slice.start(), slice.end()));
  }

  /** Returns the last bytes of a data file if they are kept; makes no request. */
  public Optional<ObjectSlice> kept(String key, Optional<String> etag) {
    return footers.find(owner, name(key), etag);
  }

  private Footers.Name name(String key) {
    return new Footers.Name(endpoint(), bucket(), key);
  }

  /** Returns the bytes of the range if the slice contains all of them. */
  private static Optional<ObjectSlice> part(ObjectSlice slice, Range range) {
    Range.ByteSpan span = range.within(slice.meta().sizeBytes());
    if (span.isEmpty() || span.start() < slice.start() || span.end() > slice.end()) {
      return Optional.empty();
    }
    int from = (int) (span.start() - slice.start());
    byte[] bytes = Arrays.copyOfRange(slice.bytes(), from, from + (int) span.lengthBytes());
    return Optional.of(new ObjectSlice(slice.meta(), span.start(), bytes));
  }

  private ObjectSlice fetchTail(String key, SuffixRange tail, Optional<String> ifMatch)
      throws IOException {
    ObjectSlice slice = fetch(key, tail, ifMatch);
    tails.saw(key, slice.meta().sizeBytes());
    return slice;
  }

  private ObjectSlice fetch(String key, Range range, Optional<String> ifMatch) throws IOException {
    long changes = footers.changes();
    ObjectSlice slice = inner.get(key, range, ifMatch);
    if (slice.end() == slice.meta().sizeBytes() && slice.bytes().length <= KEPT_MAX_BYTES) {
      footers.put(owner, name(key), slice, changes);
    }
    return slice;
  }
}
