/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.Collections;
import java.util.Set;

/**
 * The objects that a job found when it was alone at its table.
 *
 * @param hadMarker whether {@code _SUCCESS} was, which is deleted before anything changes
 * @param old the objects that go once the new ones are there
 * @param inPlace keys of the job's own uploads that had an object; a rollback cannot bring it back
 */
record Replaced(boolean hadMarker, Set<ObjectKey> old, Set<ObjectKey> inPlace) {
  /** Nothing, for a job that only adds. */
  static final Replaced NOTHING = new Replaced(false, Set.of(), Set.of());

  Replaced {
    // Not copied: there may be millions.
    old = Collections.unmodifiableSet(old);
    inPlace = Collections.unmodifiableSet(inPlace);
  }
}
