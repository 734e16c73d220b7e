/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/**
 * Remembers the newest numbered file that one writer knows in each sequence. Before Spark writes a
 * batch's file, it asks whether the file exists. After the newest known file, only another writer
 * can have written one. In that case the conditional write fails and names that writer. So Spark's
 * question needs no request.
 */
final class Progress {
  private final Map<String, Long> newest = new HashMap<>();

  /** Notes that this writer has written the file. */
  synchronized void wrote(Path path) {
    long number = BatchNames.number(path.getName());
    if (number >= 0) {
      newest.merge(BatchNames.sequence(path), number, Math::max);
    }
  }

  /** Notes a complete listing of a log. */
  synchronized void listed(Path log, Iterable<Path> files) {
    long highest = -1;
    for (Path file : files) {
      highest = Math.max(highest, BatchNames.number(file.getName()));
    }
    // A listing that began before a write may arrive after it, so the higher number counts.
    newest.merge(BatchNames.sequence(new Path(log, "0")), highest, Math::max);
  }

  /** Forgets the sequence of the file, because another writer writes or deletes there. */
  synchronized void forget(Path path) {
    newest.remove(BatchNames.sequence(path));
  }

  /** Notes that this writer has deleted the file. Only the newest file of a sequence matters. */
  synchronized void deleted(Path path) {
    Long known = newest.get(BatchNames.sequence(path));
    if (known != null && BatchNames.number(path.getName()) == known) {
      forget(path);
    }
  }

  /**
   * Returns true if the file comes after the newest known one, so that only another writer can have
   * written it.
   */
  synchronized boolean isAhead(Path path) {
    long number = BatchNames.number(path.getName());
    Long known = newest.get(BatchNames.sequence(path));
    return known != null && number > known && !BatchNames.isSharedSnapshot(path);
  }
}
