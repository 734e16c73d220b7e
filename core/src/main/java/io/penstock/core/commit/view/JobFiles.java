/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.Seen;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys that a job writes.
 *
 * @param jobId that the names of most jobs' files have in them; empty if the job has no files
 * @param others keys in the table's bucket whose names do not, as of RDDs, with the sizes in bytes
 * @param isMarking whether none of them is visible, or all are, while there is a {@code _SUCCESS}
 *     at the root of the table
 */
record JobFiles(String jobId, Map<String, Long> others, boolean isMarking) {
  static final JobFiles NONE = new JobFiles("", Map.of(), false);

  static JobFiles of(Intent intent, OutputTable table) {
    Map<String, Long> others = new HashMap<>();
    intent.files().stream()
        .filter(file -> file.bucket().equals(table.bucket()) && !intent.isOwn(file))
        .forEach(file -> others.put(file.key(), file.sizeBytes()));
    // Beside an append, another one may write a _SUCCESS.
    return new JobFiles(intent.job().id(), others, intent.isAlone() && intent.marks(table));
  }

  /**
   * Returns the files of a job whose intent cannot be read, by the intent's name. Only appends have
   * the job's id in all names.
   */
  static JobFiles byName(Seen seen) {
    if (seen.isAlone()) {
      return NONE;
    }
    String job = seen.id().substring(seen.id().indexOf('_') + 1);
    // The end of an intent that was taken back and put again.
    return new JobFiles(job.replaceFirst("-[0-9]{1,3}$", ""), Map.of(), false);
  }

  boolean isOwn(String key) {
    return !jobId.isEmpty() && Intent.isOwn(jobId, key) && !IntentNames.isOne(key);
  }
}
