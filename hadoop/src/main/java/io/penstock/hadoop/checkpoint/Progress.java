/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/**
 * Remembers how far one writer knows the numbered files of its directories to go. Spark asks
 * whether a batch's file is there before it writes it; behind the newest one that this writer
 * knows, only somebody else can have written it, and the conditional write will tell by whom. So
 * the question needs no request.
 */
final class Progress {
  private final Map<String, Long> newest = new HashMap<>();

  /** This writer has written the file. */
  synchronized void wrote(Path path) {
    long number = BatchNames.number(path.getName());
    if (number >= 0) {
      newest.merge(BatchNames.sequence(path), number, Math::max);
    }
  }

  /** A log was listed whole. */
  synchronized void listed(Path log, Iterable<Path> files) {
    long highest = -1;
    for (Path file : files) {
      highest = Math.max(highest, BatchNames.number(file.getName()));
    }
    // A listing that was begun before a write may be handed in behind it.
    newest.merge(BatchNames.sequence(new Path(log, "0")), highest, Math::max);
  }

  /** Forgets what was known of the file and its like: somebody else writes or deletes. */
  synchronized void forget(Path path) {
    newest.remove(BatchNames.sequence(path));
  }

  /** This writer has deleted the file; an old one changes nothing. */
  synchronized void deleted(Path path) {
    Long known = newest.get(BatchNames.sequence(path));
    if (known != null && BatchNames.number(path.getName()) == known) {
      forget(path);
    }
  }

  /**
   * Returns true if it comes after the newest one, so that only somebody else can have written it.
   */
  synchronized boolean isAhead(Path path) {
    long number = BatchNames.number(path.getName());
    Long known = newest.get(BatchNames.sequence(path));
    return known != null && number > known && !BatchNames.isSharedSnapshot(path);
  }
}
