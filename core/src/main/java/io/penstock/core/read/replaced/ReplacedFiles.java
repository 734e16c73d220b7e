/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.replaced;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Finds files that were deleted a short while ago, in a bucket that keeps versions. A query that
 * was planned before an overwrite still needs the files that the overwrite has replaced.
 */
public final class ReplacedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ReplacedFiles.class);

  /** A file that is written once has few versions. */
  private static final int PAGE = 100;

  private final ObjectStore store;
  private final Time time;
  private final Duration ageMax;
  private final AtomicBoolean isTold = new AtomicBoolean();

  /**
   * @param ageMax how long after its deletion a file is found; zero for never
   */
  public ReplacedFiles(ObjectStore store, Time time, Duration ageMax) {
    this.store = store;
    this.time = time;
    this.ageMax = ageMax;
  }

  /** Returns whether any file can be found. */
  public boolean areRead() {
    return !ageMax.isZero();
  }

  /**
   * Finds the content of a deleted file. Lists the versions of the key: one request.
   *
   * @param sizeBytes the size that the file must have had; empty for any
   * @return empty if there is an object at the key, if it was deleted too long ago, by the store's
   *     clock and this machine's, or if it is not clear which content is asked for, because the key
   *     had several
   */
  public Optional<ReplacedFile> find(String key, OptionalLong sizeBytes) throws IOException {
    if (!areRead()) {
      return Optional.empty();
    }
    List<ObjectVersion> contents = new ArrayList<>();
    Optional<Instant> deleted = Optional.empty();
    for (ObjectVersion version : versions(key)) {
      if (!version.isMarker()) {
        contents.add(version);
      } else if (version.isLatest()) {
        deleted = Optional.of(version.lastModified());
      }
    }
    if (deleted.isEmpty() || contents.size() != 1) {
      return Optional.empty();
    }
    ObjectVersion content = contents.get(0);
    boolean isPlanned = sizeBytes.isEmpty() || sizeBytes.getAsLong() == content.sizeBytes();
    // versitygw gives the time of the deletion to the version, and that of the object to the
    // marker.
    Instant since = Collections.max(List.of(deleted.get(), content.lastModified()));
    Duration age = Duration.between(since, time.now());
    if (!isPlanned || content.isArchived() || age.compareTo(ageMax) > 0) {
      return Optional.empty();
    }
    LOG.atLevel(isTold.getAndSet(true) ? Level.DEBUG : Level.INFO)
        .log(
            "s3://{}/{} was deleted at {}, and a query that was planned before reads it; more such"
                + " files are named at DEBUG",
            store.bucket(),
            key,
            since);
    ObjectMeta meta =
        new ObjectMeta(key, content.sizeBytes(), content.etag(), content.lastModified());
    return Optional.of(new ReplacedFile(meta, content.versionId()));
  }

  private List<ObjectVersion> versions(String key) throws IOException {
    List<ObjectVersion> found = new ArrayList<>();
    ListRequest request = ListRequest.flat(key).limit(PAGE);
    while (true) {
      VersionsPage page = store.listVersions(request);
      boolean isPast = false; // at a longer key
      for (ObjectVersion version : page.versions()) {
        isPast |= !version.key().equals(key);
        if (!isPast) {
          found.add(version);
        }
      }
      if (isPast || page.nextToken().isEmpty()) {
        return found;
      }
      request = request.next(page.nextToken().get());
    }
  }

  /**
   * Returns a view of a store in which the file is there as it was, once a read has found it
   * deleted.
   *
   * @param view what else is asked; of the same bucket
   * @param sizeBytes as in {@link #find}
   */
  public ObjectStore withFile(ObjectStore view, String key, OptionalLong sizeBytes) {
    return areRead() ? new ReplacedFileStore(view, this, key, sizeBytes) : view;
  }
}
