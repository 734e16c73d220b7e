/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** Lists the intents of a table for one job, and knows the store's time and who is silent. */
final class Watch {
  private final IntentFiles files;
  private final Time time;
  private final Silence silence = new Silence();

  /**
   * The time at which the job's own intent was written, by the store's clock. {@code putNanos} is
   * the local time at which a listing first showed the intent. The two give the store's current
   * time.
   */
  private Instant putAt = Instant.MAX;

  private long putNanos;

  /** The store's time of the last listing, if it told. */
  private Optional<Instant> servedAt = Optional.empty();

  private boolean wantsWhole;
  private boolean isWhole;

  /**
   * @param wantsWhole whether the first listing is to show the objects of the whole table, if they
   *     are few
   */
  Watch(IntentFiles files, Time time, boolean wantsWhole) {
    this.files = files;
    this.time = time;
    this.wantsWhole = wantsWhole;
  }

  /** Notes that the job is about to put another intent, whose time is not known yet. */
  void putting() {
    putAt = Instant.MAX;
  }

  /**
   * Lists the intents.
   *
   * @param own the name of the job's own intent
   */
  Listing look(String own) throws IOException {
    Optional<Listing> whole = wantsWhole ? files.listWhole() : Optional.empty();
    isWhole = whole.isPresent();
    wantsWhole = false; // Once is enough: it may have been in vain, or others are in the way.
    Listing listing = isWhole ? whole.get() : files.list();
    servedAt = listing.servedAt();
    silence.listed(listing.intents().values(), time.nowNanos());
    Seen mine = listing.intents().get(own);
    if (mine != null && putAt.equals(Instant.MAX)) {
      // This moment is later than the store's write. So a slow answer does not make a job look
      // dead too early.
      putAt = mine.touched();
      putNanos = time.nowNanos();
    }
    return listing;
  }

  /** Returns true if the last listing had all objects of the table. */
  boolean isWhole() {
    return isWhole;
  }

  /** Returns true if a job in the last listing gives no sign of life. */
  boolean isSilent(Seen seen) {
    return silence.isDead(seen, storeNow());
  }

  /** Returns the store's time, by the job's own intent if a listing has already shown it. */
  Optional<Instant> storeNow() {
    return putAt.equals(Instant.MAX)
        ? servedAt
        : Optional.of(putAt.plusNanos(time.nowNanos() - putNanos));
  }
}
