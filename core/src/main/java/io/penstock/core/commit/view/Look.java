/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.view;

import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.Seen;
import io.penstock.core.store.ObjectMeta;
import java.util.Map;
import java.util.Optional;

/**
 * The commits under way at a table, as one listing of its root shows them.
 *
 * @param intents by their ids
 * @param marker version of the table's {@code _SUCCESS}; empty if there is none
 * @param epoch version of the table's epoch; empty if there is none
 * @param isUsed whether jobs commit to the table, or have done so
 * @param isQuick whether the store has made the listing at one moment
 */
record Look(
    Map<String, Seen> intents,
    Optional<String> marker,
    Optional<String> epoch,
    boolean isUsed,
    boolean isQuick) {

  /**
   * @param isQuick whether the listing was answered too soon for a request of a job to end and
   *     another one to begin meanwhile
   */
  static Look of(Listing listing, boolean isQuick) {
    boolean isUsed =
        listing.marker().isPresent()
            || listing.epoch().isPresent()
            || !listing.intents().isEmpty()
            || !listing.strays().isEmpty();
    return new Look(
        listing.intents(),
        listing.marker().map(Look::version),
        listing.epoch().map(Look::version),
        isUsed,
        isQuick && listing.pages() == 1);
  }

  private static String version(ObjectMeta object) {
    return object.etag() + " " + object.lastModified();
  }

  /**
   * Returns true if nothing tells of a commit that runs or has ended. A listing that was made
   * before shows no part of a commit then, if that has left {@code _SUCCESS} or an epoch.
   */
  boolean isBare() {
    return intents.isEmpty() && marker.isEmpty() && epoch.isEmpty();
  }

  /** Returns true if no commit was under way. */
  boolean isCalm() {
    return intents.values().stream().allMatch(Seen::isDecided);
  }

  /**
   * Returns true if no commit has changed from open to decided, or come and gone, between this look
   * and a later one. Then a listing between the two shows each commit from one side, once the files
   * of the open ones are left out.
   */
  boolean isFollowedBy(Look after) {
    for (Seen now : after.intents.values()) {
      if (now.isDecided() && !intents.containsKey(now.id())) {
        return false;
      }
    }
    for (Seen then : intents.values()) {
      Seen now = after.intents.get(then.id());
      if (!then.isDecided() && (now == null || now.isDecided())) {
        return false;
      }
    }
    return marker.equals(after.marker)
        && epoch.equals(after.epoch)
        && (epoch.isPresent() || isMarkerTelling(after));
  }

  /** Returns true if this later look shows the same marks, and the open commits still there. */
  boolean confirms(Look earlier) {
    return marker.equals(earlier.marker)
        && epoch.equals(earlier.epoch)
        && (!earlier.isBare() || isBare())
        && earlier.intents.values().stream()
            .filter(seen -> !seen.isDecided())
            .allMatch(seen -> intents.containsKey(seen.id()));
  }

  /**
   * Returns true unless the absence of {@code _SUCCESS} in both looks, at a table without an epoch,
   * may hide a commit that came and went: it has written one, and the next commit has deleted it.
   * That cannot be if there is no commit that may have done so. If an intent stays that was there
   * before, a later commit that has found no {@code _SUCCESS} writes an epoch.
   */
  private boolean isMarkerTelling(Look after) {
    return marker.isPresent()
        || (intents.isEmpty() && after.intents.isEmpty())
        || intents.keySet().stream().anyMatch(after.intents::containsKey);
  }
}
