/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import io.penstock.core.pool.FirstFailure;
import io.penstock.core.pool.Lanes;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on the keys of one store that may take many requests each. */
public final class Keys {
  private static final int BULK = 1000;

  /**
   * S3 counts each key of a bulk delete as a request: 64 at once are what a prefix takes in 18
   * seconds, and a server on one disk answers them all late. So they begin one after the other, and
   * become more as they succeed. Sixteen at once are enough for several prefixes.
   */
  public static final Parallel.Room PAGES_AT_ONCE = new Parallel.Room(1, 16);

  private static final Logger LOG = LoggerFactory.getLogger(Keys.class);

  private Keys() {}

  /** Receives the pages of a listing one by one. */
  @FunctionalInterface
  public interface PageReader {
    void read(ListPage page) throws IOException;
  }

  /** Lists all pages. The reader receives each page before the next one is requested. */
  public static void forEachPage(ObjectStore store, ListRequest first, PageReader reader)
      throws IOException {
    ListRequest request = first;
    while (true) {
      ListPage page = store.list(request);
      reader.read(page);
      if (page.nextToken().isEmpty()) {
        return;
      }
      request = request.next(page.nextToken().get());
    }
  }

  /** Receives versions one by one. */
  @FunctionalInterface
  public interface VersionReader {
    void read(ObjectVersion version) throws IOException;
  }

  /** Lists all pages of versions. */
  public static void forEachVersion(ObjectStore store, ListRequest first, VersionReader reader)
      throws IOException {
    ListRequest request = first;
    while (true) {
      VersionsPage page = store.listVersions(request);
      for (ObjectVersion version : page.versions()) {
        reader.read(version);
      }
      if (page.nextToken().isEmpty()) {
        return;
      }
      request = request.next(page.nextToken().get());
    }
  }

  /**
   * Returns the uploads in progress whose keys start with the prefix, in no particular order; on
   * some stores only those of exactly this key, see {@link StoreTraits#listsUploadsByPrefix}.
   */
  public static List<UploadsPage.Listed> uploads(ObjectStore store, String prefix)
      throws IOException {
    List<UploadsPage.Listed> uploads = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      UploadsPage page = store.listUploads(prefix, token);
      uploads.addAll(page.uploads());
      token = page.nextToken();
    } while (token.isPresent());
    return uploads;
  }

  /**
   * Returns the parts of an upload that are in the store, sorted by number.
   *
   * @throws StoreException NO_SUCH_UPLOAD when the upload was completed or aborted
   */
  public static List<Part> parts(ObjectStore store, Upload upload) throws IOException {
    List<Part> parts = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      PartsPage page = store.listParts(upload, token);
      parts.addAll(page.parts());
      token = page.nextToken();
    } while (token.isPresent());
    return parts;
  }

  /** Returns every object under the prefix, in UTF-8 byte order of the keys, all in memory. */
  public static List<ObjectMeta> under(ObjectStore store, String prefix) throws IOException {
    List<ObjectMeta> objects = new ArrayList<>();
    forEachPage(store, ListRequest.flat(prefix), page -> objects.addAll(page.objects()));
    return objects;
  }

  /**
   * Deletes the keys with several requests at once, 1,000 keys per request. Takes keys from the
   * iterable only as fast as they are deleted. The other keys are deleted even after a failure; a
   * key without an object is no failure, nor is one that no object can have. Must not be called on
   * a thread of the pool.
   *
   * @throws StoreException the failure of the first key that could not be deleted; see {@link
   *     FirstFailure}
   * @throws java.io.InterruptedIOException when interrupted; requests under way have ended by then
   */
  public static void deleteAll(ObjectStore store, Iterable<String> keys, Lanes pool)
      throws IOException {
    deleteUnchanged(store, () -> unconditionally(keys), pool);
  }

  private static Iterator<Map.Entry<String, Condition>> unconditionally(Iterable<String> keys) {
    return StreamSupport.stream(keys.spliterator(), false)
        .map(key -> Map.entry(key, Condition.NONE))
        .iterator();
  }

  /**
   * Deletes keys like {@link #deleteAll}, each only if its object meets the key's condition. An
   * object that has another ETag than the required one was written since; it stays, and this is no
   * failure.
   */
  public static void deleteUnchanged(
      ObjectStore store, Iterable<Map.Entry<String, Condition>> keys, Lanes pool)
      throws IOException {
    AtomicReference<StoreException> outage = new AtomicReference<>();
    Parallel.forEachIn(
        page -> pool.writes(store.bucket(), page.keySet().iterator().next()),
        () -> pages(keys.iterator()),
        PAGES_AT_ONCE,
        page -> {
          FirstFailure failures = new FirstFailure();
          for (Map.Entry<String, StoreException> one : deleted(store, page, outage).entrySet()) {
            Condition condition = page.getOrDefault(one.getKey(), Condition.NONE);
            boolean isOfEtag =
                one.getValue().kind() == Kind.PRECONDITION_FAILED
                    && condition.etagToDelete().isPresent();
            try {
              if (!isOfEtag) {
                throw one.getValue();
              }
              deleteIfSame(store, one.getKey(), condition);
            } catch (StoreException e) {
              failures.add(e);
            }
          }
          failures.throwIfPresent();
        });
  }

  /**
   * Deletes a page. Once the store was out of reach for as long as a request tries, later pages
   * fail at once: each would wait as long.
   */
  private static Map<String, StoreException> deleted(
      ObjectStore store, Map<String, Condition> page, AtomicReference<StoreException> outage)
      throws IOException {
    if (outage.get() != null) {
      throw outage.get();
    }
    try {
      return new BulkDelete(store, page).run();
    } catch (StoreException e) {
      if (e.kind() == Kind.UNREACHABLE) {
        outage.compareAndSet(null, e);
      }
      throw e;
    }
  }

  /**
   * Looks at an object of which the store says that it has another ETag than the required one. A
   * store that contradicts itself must not make old data stay beside new data.
   */
  private static void deleteIfSame(ObjectStore store, String key, Condition condition)
      throws IOException {
    try {
      String etag = store.head(key).etag();
      if (condition.etagToDelete().filter(required -> Etags.match(required, etag)).isPresent()) {
        store.delete(key);
      } else {
        LOG.warn(
            "s3://{}/{} is not deleted: another writer has replaced it since it was listed",
            store.bucket(),
            key);
      }
    } catch (StoreException e) {
      if (e.kind() != Kind.NO_SUCH_KEY) {
        throw e;
      }
    }
  }

  /**
   * Deletes up to 1,000 keys, in one request where that is possible. Keys that a bulk delete cannot
   * name, or whose deletion the store does not confirm, are deleted one by one. So no key stops the
   * others.
   *
   * @return the keys that were not deleted, each with its failure; a key without an object counts
   *     as deleted, and so does one that no object can have
   * @throws StoreException when the store fails for all keys, so that it is not known which of them
   *     were deleted
   */
  public static Map<String, StoreException> deletePage(ObjectStore store, List<String> keys)
      throws IOException {
    return new BulkDelete(store, Condition.noneFor(keys)).run();
  }

  private static Iterator<Map<String, Condition>> pages(
      Iterator<Map.Entry<String, Condition>> keys) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return keys.hasNext();
      }

      @Override
      public Map<String, Condition> next() {
        Map<String, Condition> page = new LinkedHashMap<>();
        while (page.size() < BULK && keys.hasNext()) {
          Map.Entry<String, Condition> one = keys.next();
          page.put(one.getKey(), one.getValue());
        }
        return page;
      }
    };
  }
}
