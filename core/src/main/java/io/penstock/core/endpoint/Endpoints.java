/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The endpoints that a process knows, with one state for each name. A state lives as long as other
 * objects refer to it. Because file systems are closed and opened again, the states used last are
 * kept even if no other object refers to them.
 */
public final class Endpoints {
  /**
   * The number of states that are kept. A state needs at most a few hundred KB, and a process
   * seldom uses more than three endpoints.
   */
  private static final int KEPT_MAX = 16;

  private final Map<String, WeakReference<EndpointState>> known = new HashMap<>();
  private final Map<String, EndpointState> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, EndpointState> eldest) {
          return size() > KEPT_MAX;
        }
      };

  private boolean trusted;

  /**
   * Treats every endpoint that is new from now on as if it had answered: another process has asked
   * it before it started this one.
   */
  public synchronized void trust() {
    trusted = true;
  }

  /**
   * Returns the state of the endpoint. A store without an endpoint gets a state of its own.
   *
   * @param name as returned by {@link io.penstock.core.store.ObjectStore#endpoint()}
   */
  public synchronized EndpointState of(String name) {
    if (name.isEmpty()) {
      return new EndpointState(name, trusted);
    }
    WeakReference<EndpointState> reference = known.get(name);
    EndpointState state = reference == null ? null : reference.get();
    if (state == null) {
      known.values().removeIf(old -> old.refersTo(null));
      state = new EndpointState(name, trusted);
      known.put(name, new WeakReference<>(state));
    }
    kept.put(name, state);
    return state;
  }

  /**
   * Returns the number of endpoints with an entry, including those whose state no longer exists.
   */
  synchronized int size() {
    return known.size();
  }
}
