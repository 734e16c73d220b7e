/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The beginning of an object, which readers see while its writer goes on. The writer knows nothing
 * of it, and replaces it at the end. Each time more is shown, the object is replaced as one whole:
 * up to 5 MiB by a PUT, above that by an upload whose first parts the store copies from what is
 * shown.
 *
 * <p>Every such write has the condition that the object is still the one shown last, and a write
 * id. So it replaces nobody else's object, also if it arrives late, and an object whose answer was
 * lost is recognised. For one thread.
 */
final class Preview {
  private static final long WHOLE_MAX = Part.MIN_SIZE_BYTES;

  /** The store copies at most 5 GiB into a part; less is quicker. */
  private static final long COPY_MAX = 1L << 30;

  private final ObjectStore store;
  private final String key;
  private final Condition first;
  private final Supplier<String> writeIds;
  private byte[] whole = {};
  private Optional<String> etag = Optional.empty();
  private long shownBytes;
  private Attempt unanswered;

  /** A write whose answer was lost. */
  private record Attempt(String writeId, long sizeBytes) {}

  /**
   * @param store one that has conditional writes
   * @param first the condition of the writer
   * @param writeIds supplies unique ids
   */
  Preview(ObjectStore store, String key, Condition first, Supplier<String> writeIds) {
    this.store = store;
    this.key = key;
    this.first = first;
    this.writeIds = writeIds;
  }

  /** Says that another writer has replaced or deleted the object, so nothing more can be shown. */
  static final class ReplacedException extends IOException {
    private static final long serialVersionUID = 1;

    ReplacedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  String key() {
    return key;
  }

  /** Returns how many bytes are shown, as far as is known. */
  long shownBytes() {
    return shownBytes;
  }

  /**
   * Finds out whether a write whose answer was lost has taken effect. Returns the ETag of what is
   * shown; empty if nothing is.
   *
   * @throws ReplacedException when the object is another writer's
   */
  Optional<String> settled() throws IOException {
    if (unanswered == null) {
      return etag;
    }
    Optional<ObjectMeta> found = head();
    if (found.isPresent() && found.get().writeId().equals(Optional.of(unanswered.writeId()))) {
      shown(found.get().etag(), unanswered.sizeBytes());
    } else if (etag.isPresent() && !found.map(ObjectMeta::etag).equals(etag)) {
      throw replaced(null);
    }
    unanswered = null;
    return etag;
  }

  private Optional<ObjectMeta> head() throws IOException {
    try {
      return Optional.of(store.head(key));
    } catch (StoreException e) {
      if (e.kind() == Kind.NO_SUCH_KEY) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private ReplacedException replaced(Throwable cause) {
    return new ReplacedException(
        "s3://%s/%s: another writer has replaced or deleted what was shown of the file"
            .formatted(store.bucket(), key),
        cause);
  }

  private void shown(String newEtag, long bytes) {
    etag = Optional.of(newEtag);
    shownBytes = bytes;
    whole = null;
    unanswered = null;
  }

  /**
   * Shows the object with more bytes at its end. Call {@link #settled} first after a failure.
   *
   * @throws ReplacedException when the object is another writer's
   */
  void show(byte[] more) throws IOException {
    String writeId = writeIds.get();
    Condition condition = condition().withWriteId(writeId);
    long size = shownBytes + more.length;
    unanswered = new Attempt(writeId, size);
    try {
      if (shownBytes >= WHOLE_MAX) {
        shown(appended(more, condition), size);
      } else {
        byte[] all = joined(begin(), more);
        shown(store.put(key, Body.ofBytes(all), condition), size);
        whole = size < WHOLE_MAX ? all : null;
      }
    } catch (StoreException e) {
      boolean mayBeOthers =
          e.kind() == Kind.PRECONDITION_FAILED
              || e.kind() == Kind.NO_SUCH_KEY
              || e.kind() == Kind.INVALID_REQUEST; // such as a range beyond the object's new end
      if (mayBeOthers && settled().isPresent() && shownBytes == size) {
        return; // The answer was lost, and the repeat met our own object.
      }
      throw e.kind() == Kind.PRECONDITION_FAILED ? replaced(e) : e;
    }
  }

  private Condition condition() throws IOException {
    if (etag.isPresent()) {
      return Condition.ifMatch(etag.get());
    }
    if (!first.equals(Condition.NONE)) {
      return first;
    }
    return head().map(found -> Condition.ifMatch(found.etag())).orElse(Condition.IF_ABSENT);
  }

  private byte[] begin() throws IOException {
    return whole == null ? store.get(key, new ByteRange(0, shownBytes), etag).bytes() : whole;
  }

  private static byte[] joined(byte[] begin, byte[] more) {
    byte[] all = Arrays.copyOf(begin, begin.length + more.length);
    System.arraycopy(more, 0, all, begin.length, more.length);
    return all;
  }

  private String appended(byte[] more, Condition condition) throws IOException {
    Upload upload = store.createUpload(key, condition.writeId());
    try {
      PartNumbering numbering = store.traits().partNumbering();
      List<Part> parts = new ArrayList<>();
      long copies = (shownBytes + COPY_MAX - 1) / COPY_MAX;
      for (long i = 0; i < copies; i++) {
        ByteRange range = new ByteRange(shownBytes * i / copies, shownBytes * (i + 1) / copies);
        parts.add(store.copyPart(upload, numbering.of(parts.size()).first(), key, range));
      }
      parts.add(store.uploadPart(upload, numbering.of(parts.size()), Body.ofBytes(more)));
      return store.completeUpload(new PendingUpload(upload, parts, condition.writeId()), condition);
    } catch (IOException | RuntimeException | Error e) {
      abort(upload, e);
      throw e;
    }
  }

  /** Aborts the upload, also if the writer has cancelled the preview. */
  private void abort(Upload upload, Throwable cause) {
    try {
      Cancellation.aside(() -> store.abortUpload(upload));
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
