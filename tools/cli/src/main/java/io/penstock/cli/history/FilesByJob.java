/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.history;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a table, by the jobs that have written them: Spark's file names have an id of the
 * job in them. This is all that a bucket without versions tells.
 *
 * @param jobs in the order in which they wrote their last file
 * @param others number of files without an id in their names
 * @param hasLog whether a table format keeps its log here: its files have other ids in their names
 */
record FilesByJob(List<Job> jobs, long others, boolean hasLog) {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** The files of one job that are there. */
  record Job(String id, long files, long bytes, Instant last) {
    Job and(ObjectMeta file) {
      Instant later = file.lastModified().isAfter(last) ? file.lastModified() : last;
      return new Job(id, files + 1, bytes + file.sizeBytes(), later);
    }
  }

  /**
   * Lists a table.
   *
   * @param progress receives the number of objects so far
   */
  static FilesByJob list(ObjectStore store, String prefix, LongConsumer progress)
      throws IOException {
    Map<String, Job> jobs = new HashMap<>();
    long[] counts = new long[2];
    boolean[] hasLog = new boolean[1];
    Keys.forEachPage(
        store,
        ListRequest.flat(prefix),
        page -> {
          counts[0] += page.objects().size();
          for (ObjectMeta object : page.objects()) {
            String rest = object.key().substring(prefix.length());
            hasLog[0] |=
                rest.startsWith("_delta_log/")
                    || rest.startsWith(".hoodie/")
                    || rest.startsWith("metadata/");
            if (isHidden(rest)) {
              continue;
            }
            Matcher id = ID.matcher(rest.substring(rest.lastIndexOf('/') + 1));
            if (id.find()) {
              Job known = jobs.getOrDefault(id.group(), new Job(id.group(), 0, 0, Instant.EPOCH));
              jobs.put(id.group(), known.and(object));
            } else {
              counts[1]++;
            }
          }
          progress.accept(counts[0]);
        });
    List<Job> sorted = jobs.values().stream().sorted(Comparator.comparing(Job::last)).toList();
    return new FilesByJob(sorted, counts[1], hasLog[0]);
  }

  private static boolean isHidden(String path) {
    return path.startsWith("_")
        || path.contains("/_")
        || path.startsWith(".")
        || path.contains("/.")
        || path.endsWith("/");
  }
}
