/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.replaced;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads one file that may be deleted before, or while, it is read. */
final class ReplacedFileStore extends StoreWrapper {
  private final ReplacedFiles files;
  private final String key;
  private final OptionalLong sizeBytes;

  /** Present once the file was found deleted. */
  private volatile Optional<ReplacedFile> content = Optional.empty();

  ReplacedFileStore(ObjectStore inner, ReplacedFiles files, String key, OptionalLong sizeBytes) {
    super(inner);
    this.files = files;
    this.key = key;
    this.sizeBytes = sizeBytes;
  }

  @Override
  public ObjectSlice get(String asked, Range range, Optional<String> ifMatch) throws IOException {
    if (!asked.equals(key)) {
      return inner.get(asked, range, ifMatch);
    }
    if (content.isEmpty()) {
      try {
        return inner.get(key, range, ifMatch);
      } catch (StoreException e) {
        content = Optional.of(afterAll(e));
      }
    }
    return deleted(content.get(), range, ifMatch);
  }

  @Override
  public ReadResult read(String asked, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    if (!asked.equals(key)) {
      return inner.read(asked, range, etag, sink);
    }
    if (content.isEmpty()) {
      try {
        return inner.read(key, range, etag, sink);
      } catch (StoreException e) {
        content = Optional.of(afterAll(e));
      }
    }
    ObjectSlice slice = deleted(content.get(), range, Optional.of(etag));
    sink.take(slice.start(), slice.bytes(), 0, slice.bytes().length);
    return new ReadResult(slice.meta(), new ByteRange(slice.start(), slice.end()));
  }

  @Override
  public ObjectMeta head(String asked) throws IOException {
    if (!asked.equals(key)) {
      return inner.head(asked);
    }
    if (content.isEmpty()) {
      try {
        return inner.head(key);
      } catch (StoreException e) {
        content = Optional.of(afterAll(e));
      }
    }
    return content.get().meta();
  }

  /**
   * Returns the content of the file if the failure says that it is not there.
   *
   * @throws StoreException the failure, if nothing else helps
   */
  private ReplacedFile afterAll(StoreException failure) throws StoreException {
    // A read that requires an ETag may be told that the condition does not hold.
    if (failure.kind() != Kind.NO_SUCH_KEY && failure.kind() != Kind.PRECONDITION_FAILED) {
      throw failure;
    }
    try {
      return files.find(key, sizeBytes).orElseThrow(() -> failure);
    } catch (StoreException e) {
      if (e != failure) {
        failure.addSuppressed(e); // Versions may be unknown to this store, or to this user.
      }
      throw failure;
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private ObjectSlice deleted(ReplacedFile found, Range range, Optional<String> ifMatch)
      throws IOException {
    if (ifMatch.isPresent() && !Etags.match(ifMatch.get(), found.meta().etag())) {
      throw StoreException.of(
          Kind.PRECONDITION_FAILED,
          Operation.GET,
          "s3://" + bucket() + "/" + key,
          "it was deleted, and what it was before has another ETag.");
    }
    return inner.getVersion(key, found.versionId(), range);
  }
}
