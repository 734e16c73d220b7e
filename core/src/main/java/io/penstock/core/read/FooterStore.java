/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Saves requests for data files that Spark, Delta and Iceberg name by a new UUID. Readers of
 * Parquet, ORC and Avro ask for the status of a file and then for its last bytes. Here the status
 * comes with the last bytes, in one request, and another reader of the same file gets both without
 * a request.
 *
 * <p>A file with such a name is written once and never again, so its bytes cannot be outdated. A
 * file that another process has deleted may be reported as present for a few more seconds.
 */
public final class FooterStore extends StoreWrapper {
  private static final String UUID =
      "\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}";

  /** Names as Spark and Delta give them, and after that those of Iceberg. */
  private static final Pattern WRITTEN_ONCE =
      Pattern.compile(
          ("part-\\d+-UUID(_\\d+)?[-.]c\\d+(\\.\\w+)?\\.(parquet|orc|avro)"
                  + "|\\d+-\\d+-UUID-\\d+(-deletes)?\\.(parquet|orc|avro)"
                  + "|UUID-m\\d+\\.avro|snap-\\d+-\\d+-UUID\\.avro")
              .replace("UUID", UUID));

  /** Larger answers are not kept: they are the content of a file and not its footer. */
  private static final long KEPT_MAX_BYTES = 1 << 20;

  private final Footers footers;
  private final long footerBytes;

  /**
   * @param footerBytes the number of last bytes that come with the status
   */
  public FooterStore(ObjectStore inner, Footers footers, long footerBytes) {
    super(inner);
    this.footers = footers;
    this.footerBytes = footerBytes;
  }

  static boolean isWrittenOnce(String key) {
    return WRITTEN_ONCE.matcher(key.substring(key.lastIndexOf('/') + 1)).matches();
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    if (!isWrittenOnce(key)) {
      return inner.head(key);
    }
    Optional<ObjectSlice> fresh = footers.findFresh(endpoint(), bucket(), key);
    if (fresh.isPresent()) {
      return fresh.get().meta();
    }
    try {
      return fetch(key, new SuffixRange(footerBytes), Optional.empty()).meta();
    } catch (StoreException e) {
      if (e.kind() == Kind.RANGE_NOT_SATISFIABLE) { // an empty object
        return inner.head(key);
      }
      throw e;
    }
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    if (!isWrittenOnce(key)) {
      return inner.get(key, range, ifMatch);
    }
    Optional<ObjectSlice> kept =
        footers
            .find(endpoint(), bucket(), key)
            .filter(slice -> ifMatch.isEmpty() || ifMatch.get().equals(slice.meta().etag()))
            .flatMap(slice -> part(slice, range));
    return kept.isPresent() ? kept.get() : fetch(key, range, ifMatch);
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

  private ObjectSlice fetch(String key, Range range, Optional<String> ifMatch) throws IOException {
    try {
      ObjectSlice slice = inner.get(key, range, ifMatch);
      if (isFooter(range, slice)) {
        footers.put(endpoint(), bucket(), key, slice);
      }
      return slice;
    } catch (StoreException e) {
      forget(key);
      throw e;
    }
  }

  private static boolean isFooter(Range range, ObjectSlice slice) {
    return (range instanceof SuffixRange || slice.start() == 0)
        && slice.end() == slice.meta().sizeBytes()
        && slice.bytes().length <= KEPT_MAX_BYTES;
  }

  private void forget(String key) {
    footers.remove(endpoint(), bucket(), key);
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    try {
      return inner.put(key, body, condition);
    } finally {
      forget(key);
    }
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    try {
      return inner.copy(sourceKey, key, sourceIfMatch);
    } finally {
      forget(key);
    }
  }

  @Override
  public void delete(String key) throws IOException {
    try {
      inner.delete(key);
    } finally {
      forget(key);
    }
  }

  @Override
  public Map<String, StoreException> deleteAll(List<String> keys) throws IOException {
    try {
      return inner.deleteAll(keys);
    } finally {
      keys.forEach(this::forget);
    }
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    try {
      return inner.completeUpload(pending, condition);
    } finally {
      forget(pending.key());
    }
  }
}
