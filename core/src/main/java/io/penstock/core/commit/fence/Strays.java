/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.IntentNames;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.lease.Leases;
import io.penstock.core.commit.life.UnansweredWrites;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The objects that stay at a table when the intent that they belong to is gone. */
final class Strays {
  private static final Logger LOG = LoggerFactory.getLogger(Strays.class);

  /**
   * The time for which a job that deletes objects waits for the PUTs of a job that has ended. A PUT
   * that was under way at the end of that job is cut within seconds.
   */
  private static final Duration SETTLING = UnansweredWrites.SETTLING.multipliedBy(2);

  private final IntentFiles files;
  private final OutputTable table;

  Strays(IntentFiles files, OutputTable table) {
    this.files = files;
    this.table = table;
  }

  /**
   * Returns true if a PUT of a job that has ended may still arrive. It would write a file again
   * that this job deletes.
   */
  static boolean areSettling(Listing listing, Instant now) {
    Instant limit = now.minus(SETTLING);
    return listing.strays().entrySet().stream()
        .anyMatch(
            stray -> IntentNames.isSettling(stray.getKey()) && stray.getValue().isAfter(limit));
  }

  /** Deletes those of intents that ended some time ago. */
  void clearAway(Listing listing, Instant now) throws IOException {
    List<String> old = new ArrayList<>();
    for (Map.Entry<String, Instant> stray : listing.strays().entrySet()) {
      Duration age = Duration.between(stray.getValue(), now);
      boolean isOver =
          age.compareTo(Fence.STRAYS_STAY) > 0
              || (age.compareTo(Leases.DURATION) > 0 && files.isUseless(stray.getKey()));
      if (isOver || (IntentNames.isSettling(stray.getKey()) && age.compareTo(SETTLING) > 0)) {
        old.add(stray.getKey());
      }
    }
    try {
      files.delete(old);
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      LOG.debug("{}: this process may not delete the leftovers of earlier commits", table, e);
    }
  }
}
