/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import io.penstock.core.store.Condition;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * The objects that a job found at its table after it had passed the fence.
 *
 * @param hadMarker whether there was a {@code _SUCCESS}; it is deleted before anything changes
 * @param old the objects to delete once the new ones are visible, each with the condition under
 *     which it is deleted: that it is still the one that was listed, where the store can tell
 * @param inPlace keys of the job's own uploads that already had an object; a rollback cannot
 *     restore such an object
 */
public record Replaced(boolean hadMarker, Map<ObjectKey, Condition> old, Set<ObjectKey> inPlace) {
  /** Nothing, for a job that only adds. */
  public static final Replaced NOTHING = new Replaced(false, Map.of(), Set.of());

  public Replaced {
    // Not copied: there may be millions.
    old = Collections.unmodifiableMap(old);
    inPlace = Collections.unmodifiableSet(inPlace);
  }
}
