/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What was there when a job was alone at its table.
 *
 * @param hadMarker whether {@code _SUCCESS} was, which is deleted before anything changes
 * @param old the objects that go once the new ones are there
 * @param inPlace keys of the job's own uploads that had an object; a rollback cannot bring it back
 */
record Replaced(boolean hadMarker, Set<ObjectKey> old, Set<ObjectKey> inPlace) {
  /** For a job that replaces nothing. */
  static final Replaced NOTHING = new Replaced(false, Set.of(), Set.of());

  Replaced {
    old = new LinkedHashSet<>(old);
    inPlace = new LinkedHashSet<>(inPlace);
  }
}
