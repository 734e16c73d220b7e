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
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.CopiedBeginning;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginning of an object, which readers see while its writer goes on. The writer knows nothing
 * of it, and replaces it at the end. Each time more is shown, the object is replaced as one whole:
 * up to 5 MiB by a PUT, above that by an upload whose first parts the store copies from what is
 * shown.
 *
 * <p>The first such write has the condition that there is no object, or that it is the one that is
 * extended, and each later one that the object is still the one shown last. So none replaces
 * anybody else's object, also if it arrives late. Each has a write id, by which one is recognised
 * whose answer was lost. For one thread.
 */
final class Preview {
  private static final Logger LOG = LoggerFactory.getLogger(Preview.class);
  private static final long WHOLE_MAX = Part.MIN_SIZE_BYTES;

  private final ObjectStore store;
  private final String key;
  private final UserMetadata user;
  private final Supplier<String> writeIds;
  private byte[] whole;
  private Optional<String> etag = Optional.empty();
  private volatile long shownBytes; // The writing thread asks for it, too.
  private final Map<String, Long> unanswered = new LinkedHashMap<>();
  private Upload toAbort;

  /**
   * @param store one that has conditional writes
   * @param user what the store keeps with the object
   * @param writeIds supplies unique ids
   */
  Preview(ObjectStore store, String key, UserMetadata user, Supplier<String> writeIds) {
    this.store = store;
    this.key = key;
    this.user = user;
    this.writeIds = writeIds;
  }

  /** Begins with an object that is there: its bytes are shown already. */
  void extend(ObjectMeta old) {
    shown(old.etag(), old.sizeBytes());
  }

  /** Says that another writer has replaced or deleted the object, so nothing more can be shown. */
  static final class ReplacedException extends IOException {
    private static final long serialVersionUID = 1;

    ReplacedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Says that there is an object that was not shown by this writer. */
  static final class OccupiedException extends IOException {
    private static final long serialVersionUID = 1;

    OccupiedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Says that an earlier write has arrived late, so that this one has to be made anew. */
  static final class LateException extends IOException {
    private static final long serialVersionUID = 1;

    LateException(String message, Throwable cause) {
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

  /** Returns true if more is shown by an upload. */
  boolean isUpload() {
    return shownBytes >= WHOLE_MAX;
  }

  /** Returns true if a write whose answer was lost may still take effect. */
  boolean isUncertain() {
    return !unanswered.isEmpty();
  }

  /**
   * Finds out whether a write whose answer was lost has taken effect. Returns the ETag of what is
   * shown; empty if nothing is. One that has not taken effect may do so later, until another write
   * has replaced what its condition names.
   *
   * @throws ReplacedException when the object is another writer's
   */
  Optional<String> settled() throws IOException {
    if (unanswered.isEmpty()) {
      return etag;
    }
    Optional<ObjectMeta> found = head();
    Optional<Long> size = found.flatMap(ObjectMeta::writeId).map(unanswered::get);
    if (size.isPresent()) {
      shown(found.get().etag(), size.get());
    } else if (etag.isPresent() && !found.map(ObjectMeta::etag).equals(etag)) {
      throw replaced(null);
    }
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
        name() + ": another writer has replaced or deleted what was shown of the file", cause);
  }

  private void shown(String newEtag, long bytes) {
    etag = Optional.of(newEtag);
    shownBytes = bytes;
    whole = null;
    unanswered.clear(); // Their conditions do not hold any more.
  }

  /**
   * Shows the object with more bytes at its end. Call {@link #settled} first after a failure, and
   * {@link #takeFailedUpload} at the end.
   *
   * @throws OccupiedException when nothing was shown yet, and there is an object
   * @throws ReplacedException when the object is another writer's
   * @throws LateException when an earlier write was made visible instead
   */
  void show(byte[] more) throws IOException {
    String writeId = writeIds.get();
    Condition condition = etag.map(Condition::ifMatch).orElse(Condition.IF_ABSENT);
    Condition sent = condition.withWriteId(writeId);
    boolean isFirst = etag.isEmpty();
    long size = shownBytes + more.length;
    unanswered.put(writeId, size);
    try {
      if (isUpload()) {
        shown(appended(more, sent), size);
      } else {
        byte[] all = joined(begin(), more);
        shown(store.put(key, Body.ofBytes(all).with(user), sent), size);
        whole = size < WHOLE_MAX ? all : null;
      }
    } catch (StoreException e) {
      boolean mayBeOthers =
          e.kind() == Kind.PRECONDITION_FAILED
              || e.kind() == Kind.NO_SUCH_KEY
              || e.kind() == Kind.INVALID_REQUEST; // such as a range beyond the object's new end
      if (!mayBeOthers) {
        throw e;
      }
      long before = shownBytes;
      if (settled().isPresent() && shownBytes == size) {
        return; // The answer was lost, and the repeat met our own object.
      }
      if (shownBytes > before) {
        throw new LateException("an earlier write of this file has arrived late: " + name(), e);
      }
      if (e.kind() != Kind.PRECONDITION_FAILED) {
        throw e;
      }
      throw isFirst ? new OccupiedException("there is a file already: " + name(), e) : replaced(e);
    }
  }

  private String name() {
    return "s3://" + store.bucket() + "/" + key;
  }

  private byte[] begin() throws IOException {
    if (shownBytes == 0) {
      return new byte[0];
    }
    return whole == null ? read(0) : whole;
  }

  /** Returns what is shown from there on. */
  private byte[] read(long start) throws IOException {
    return start == shownBytes
        ? new byte[0]
        : store.get(key, new ByteRange(start, shownBytes), etag).bytes();
  }

  private static byte[] joined(byte[] begin, byte[] more) {
    byte[] all = Arrays.copyOf(begin, begin.length + more.length);
    System.arraycopy(more, 0, all, begin.length, more.length);
    return all;
  }

  private String appended(byte[] more, Condition condition) throws IOException {
    Upload upload = store.createUpload(key, condition.writeId(), user);
    try {
      PartNumbering numbering = store.traits().partNumbering();
      List<Part> parts = new ArrayList<>();
      CopiedBeginning copied = CopiedBeginning.of(shownBytes);
      byte[] tail = more;
      int most = more.length;
      if (numbering.isUniform()) {
        // All parts but the last have one size: what is left over is read, a few bytes at most.
        long partBytes = shownBytes / copied.parts();
        copied = CopiedBeginning.inPartsOf(partBytes, shownBytes);
        tail = joined(read(copied.sizeBytes()), more);
        most = (int) Math.min(partBytes, tail.length);
      }
      for (int i = 0; i < copied.parts(); i++) {
        parts.add(
            store.copyPart(
                upload,
                numbering.of(i).first(),
                key,
                new ByteRange(copied.start(i), copied.start(i + 1)),
                etag));
      }
      for (int start = 0; start < tail.length; start += most) {
        byte[] part = Arrays.copyOfRange(tail, start, Math.min(tail.length, start + most));
        parts.add(store.uploadPart(upload, numbering.of(parts.size()), Body.ofBytes(part)));
      }
      return store.completeUpload(new PendingUpload(upload, parts, condition.writeId()), condition);
    } catch (IOException | RuntimeException | Error e) {
      toAbort = upload;
      throw e;
    }
  }

  /** Returns an upload that has failed since the last call, and must be aborted. */
  Optional<Upload> takeFailedUpload() {
    Optional<Upload> failed = Optional.ofNullable(toAbort);
    toAbort = null;
    return failed;
  }

  /** Aborts an upload, also if the writer has cancelled the preview. Any thread may do it. */
  void abort(Upload upload) {
    try {
      Cancellation.aside(() -> store.abortUpload(upload));
    } catch (IOException | RuntimeException e) {
      LOG.info("An upload of {} stays until a lifecycle rule removes it: {}", name(), e.toString());
    }
  }
}
