/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.store.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The objects of a table that readers must not see. Where only the key tells, an object that was
 * written later by somebody else is not meant.
 */
final class Hidden {
  /** A driver that stood still may complete its uploads for so long after it showed its life. */
  private static final Duration PAUSE_MAX = Duration.ofHours(1);

  /**
   * The object at a key that is hidden.
   *
   * @param latest last time at which it may have been written
   * @param sizeBytes its size, if it is known
   */
  private record Version(Instant latest, OptionalLong sizeBytes) {
    boolean isOne(ObjectMeta object) {
      boolean isOther = sizeBytes.isPresent() && sizeBytes.getAsLong() != object.sizeBytes();
      return !isOther && !object.lastModified().isAfter(latest);
    }
  }

  private final String bucket;
  private final List<JobFiles> jobs = new ArrayList<>();

  private final Map<String, Version> keys = new HashMap<>();

  Hidden(String bucket) {
    this.bucket = bucket;
  }

  /** Hides what a decided commit replaces. What it replaced in place is the job's own by now. */
  void addOld(Seen seen, Replaced replaced) {
    for (ObjectKey old : replaced.old().keySet()) {
      if (old.bucket().equals(bucket) && !replaced.inPlace().contains(old)) {
        keys.put(old.key(), new Version(seen.touched(), OptionalLong.empty()));
      }
    }
  }

  /**
   * Hides the files of an open commit. One that has a fixed name and took the place of an object is
   * shown: it may still be the old object, and nobody can tell.
   */
  void addNew(Seen seen, JobFiles job, Replaced replaced) {
    jobs.add(job);
    Instant latest = seen.touched().plus(PAUSE_MAX);
    job.others()
        .forEach(
            (key, size) -> {
              if (!replaced.inPlace().contains(new ObjectKey(bucket, key))) {
                keys.put(key, new Version(latest, OptionalLong.of(size)));
              }
            });
  }

  List<ObjectMeta> without(List<ObjectMeta> objects) {
    if (keys.isEmpty() && jobs.isEmpty()) {
      return objects;
    }
    return objects.stream().filter(object -> !has(object)).toList();
  }

  private boolean has(ObjectMeta object) {
    Version version = keys.get(object.key());
    return (version != null && version.isOne(object))
        || jobs.stream().anyMatch(job -> job.isOwn(object.key()));
  }
}
