/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.IntentFiles.Seen;
import io.penstock.core.store.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects of a table that readers must not see. Where only the key tells, an object that was
 * written later by somebody else is not meant: a job that has shown no life for a minute writes
 * nothing more.
 */
final class Hidden {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final String bucket;
  private final List<JobFiles> jobs = new ArrayList<>();

  /** By their keys, the last times at which the hidden objects may have been written. */
  private final Map<String, Instant> keys = new HashMap<>();

  Hidden(String bucket) {
    this.bucket = bucket;
  }

  /** Hides what a decided commit replaces. What it replaced in place is the job's own by now. */
  void addOld(Seen seen, Replaced replaced) {
    for (ObjectKey old : replaced.old().keySet()) {
      if (old.bucket().equals(bucket) && !replaced.inPlace().contains(old)) {
        keys.put(old.key(), seen.touched());
      }
    }
  }

  /**
   * Hides the files of an open commit. One that has a fixed name and took the place of an object is
   * shown: it may still be the old object, and nobody can tell.
   */
  void addNew(Seen seen, JobFiles job, Replaced replaced) {
    jobs.add(job);
    for (String key : job.others()) {
      if (!replaced.inPlace().contains(new ObjectKey(bucket, key))) {
        keys.put(key, seen.touched().plus(LEASE));
      }
    }
  }

  List<ObjectMeta> without(List<ObjectMeta> objects) {
    if (keys.isEmpty() && jobs.isEmpty()) {
      return objects;
    }
    return objects.stream().filter(object -> !has(object)).toList();
  }

  private boolean has(ObjectMeta object) {
    Instant latest = keys.get(object.key());
    return (latest != null && !object.lastModified().isAfter(latest))
        || jobs.stream().anyMatch(job -> job.isOwn(object.key()));
  }
}
